import type { Day } from '../day/day.ts';
import type { Cast } from './people/cast.ts';

const TTY_MS = 2000;
const PLAIN_MS = 15_000;

/**
 * Reports the progress of the day: one line that is updated on a terminal, or else a line each 15 s.
 * @param isAlone whether no other run writes to the terminal
 */
export function startProgress(cast: Cast, day: Day, say: (line: string) => void, isAlone: boolean): { stop(): void } {
  const isTty = process.stdout.isTTY && isAlone;
  const show = (): void => {
    const line = progressLine(cast, day);
    if (isTty) process.stdout.write(`\r${line.padEnd((process.stdout.columns ?? 80) - 1)}`);
    else say(line);
  };
  const timer = setInterval(show, isTty ? TTY_MS : PLAIN_MS);
  return {
    stop: () => {
      clearInterval(timer);
      if (isTty) process.stdout.write('\n');
    },
  };
}

function progressLine({ world, receiver, watchers }: Cast, day: Day): string {
  const { tally, time } = world;
  const first = day.orders[0]?.placedMin ?? 0;
  const minute = Math.floor(first + (time.now() - world.toService(first)) / 60_000);
  return [
    `minute ${minute}`,
    `orders ${tally.ordersCreated}/${day.orders.length}`,
    `ended ${watchers.ended.size}`,
    `offers ${tally.offers}`,
    `fixes ${tally.fixes}`,
    `webhooks ${receiver.events.size}`,
  ].join('  ');
}
