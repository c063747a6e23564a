// A thread of the bench. It plays the days that it receives, one after the other.
import { parentPort } from 'node:worker_threads';
import { readDay } from '../day/day.ts';
import { playBoth, type Played } from './contenders.ts';
import type { NamedDay } from './find-days.ts';
import type { PlayOptions } from './play/outcome.ts';

export type Task = { readonly day: NamedDay; readonly options: PlayOptions; readonly out: string | null };
export type Reply = { readonly played: Played } | { readonly problem: string };

async function answer({ day, options, out }: Task): Promise<Reply> {
  try {
    return { played: await playBoth(day.name, await readDay(day.dir), options, out) };
  } catch (error) {
    // The first thread that fails ends the bench, so its message and its stack are passed on.
    const cause = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.stack ?? ''}` : '';
    return { problem: `${error instanceof Error ? error.message : String(error)}${cause}` };
  }
}

const port = parentPort;
port?.on('message', (task: Task) => void answer(task).then((reply) => port.postMessage(reply)));
