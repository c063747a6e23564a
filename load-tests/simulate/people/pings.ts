// The phone's position reports: a fix each 4 s, kept while there is no connection, with one message in flight.
import type { FixTuple } from '../../../src/domain/couriers/fix-tuple.ts';
import type { CourierToServer } from '../../../src/realtime/protocol.ts';
import type { Connection } from '../../clients/connection.ts';
import type { ServiceTime } from '../../clients/service-time.ts';
import { recordMs } from '../../statistics.ts';
import { noteSurprise, type Tally } from './tally.ts';

/** The reported place of the phone. `at` is service time in ms. */
export type Located = {
  readonly at: number;
  readonly lat: number;
  readonly lng: number;
  readonly accuracyM: number;
  readonly speedMps: number;
  readonly headingDeg: number;
};

type PingAck = Parameters<Parameters<CourierToServer['ping']>[1]>[0];

const PERIOD_MS = 4000;
const MOST_KEPT = 50;
const ACK_MS = 5000;

/**
 * Sends the place from `locate` every 4 s of service time, oldest first. At most the newest 50 fixes wait.
 * @returns a function that ends the reports
 */
export function sendPings(
  connection: Connection,
  locate: () => Located,
  { time, tally }: { time: ServiceTime; tally: Tally },
): () => void {
  let waiting: FixTuple[] = [];
  let seq = 0;
  let isSending = false;
  let quietUntil = 0;

  async function flush(): Promise<void> {
    const socket = connection.socket();
    if (socket === null || isSending || waiting.length === 0 || performance.now() < quietUntil) return;
    isSending = true;
    const fixes = waiting;
    waiting = [];
    const sentAt = performance.now();
    try {
      const ack = (await socket.timeout(ACK_MS).emitWithAck('ping', { fixes })) as PingAck;
      connection.heed('ping', ack);
      recordMs(tally.pingAck, performance.now() - sentAt);
      tally.pings += 1;
      tally.fixes += fixes.length;
      if (!ack.ok) {
        tally.pingsRefused += 1;
        noteSurprise(tally, `ping: ${ack.problem.code}`);
      } else if (ack.slow_down_ms !== undefined) {
        tally.slowDowns += 1;
        quietUntil = performance.now() + time.toRealMs(ack.slow_down_ms);
      }
    } catch {
      // The connection broke, so the message is sent again. The server knows the sequence numbers that it has.
      waiting = [...fixes, ...waiting].slice(-MOST_KEPT);
    } finally {
      isSending = false;
    }
  }
  const timer = setInterval(() => {
    seq += 1;
    const { at, lat, lng, accuracyM, speedMps, headingDeg } = locate();
    const fix: FixTuple = [seq, at, lat, lng, accuracyM, speedMps, headingDeg];
    waiting = [...waiting, fix].slice(-MOST_KEPT);
    void flush();
  }, time.toRealMs(PERIOD_MS));
  return () => clearInterval(timer);
}
