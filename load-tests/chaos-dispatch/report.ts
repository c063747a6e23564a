// The figures of a run and the sentences that make it fail.
import { lastLineOf } from '../command-line.ts';
import { cpus, loadavg } from 'node:os';
import type { Answers } from './judge/answers.ts';
import { LIMIT_MS, summary, type Gone, type LeadersResult } from './judge/leaders.ts';
import { BREACHES, type Ledger, type LedgerCounts } from './judge/ledger.ts';
import type { ChaosOptions } from './options.ts';
import { givenPairs, type Findings, type Remains } from './judge/verdict.ts';

export type Material = {
  readonly options: ChaosOptions;
  readonly ledger: Ledger;
  readonly answers: Answers;
  readonly remains: Remains;
  readonly promised: number;
  readonly findings: Findings;
  readonly leaders: LeadersResult;
  readonly counts: Readonly<Record<string, number>>;
  readonly crashes: readonly string[];
  readonly failedStarts: number;
  /** Stored events that the reader did not receive. */
  readonly unread: number;
  readonly streamFailure: string | null;
  /** Deliveries that were not created before the time ran out. */
  readonly notCreated: number;
  readonly wallS: number;
  /** Whether leaders were killed or frozen, so that take-overs must have been seen. */
  readonly wereLeadersHurt: boolean;
  readonly clock: ServiceClock;
};

/** The scale of service time, and the largest difference between the servers' service clocks, ms. */
type ServiceClock = { readonly scale: number; readonly skewMs: number };

type Times = ReturnType<typeof summary>;

export type ChaosReport = {
  readonly options: ChaosOptions;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly load: readonly number[];
    readonly node: string;
  };
  readonly clock: ServiceClock;
  readonly wallS: number;
  readonly promised: number;
  readonly log: LedgerCounts;
  readonly answers: ReturnType<Answers['counts']>;
  /** Machine ms from the end of a leader until another process had the lease, and until it asked a courier. */
  readonly takeOvers: Readonly<Record<Gone, { readonly lease: Times; readonly offer: Times }>>;
  readonly afterRedis: Times;
  /** Offers of replaced leaders that were not taken back. */
  readonly stayed: number;
  readonly quiet: number;
  readonly mistaken: number;
  readonly failedStarts: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Details of each problem. */
  readonly details: readonly string[];
  /** Empty when the run is good. */
  readonly problems: readonly string[];
};

const MOST_DETAILS = 60;

/** Judges a finished run. */
export function makeReport(material: Material): ChaosReport {
  const { options, ledger, leaders, findings, answers, remains, crashes, counts } = material;
  const disagreements = answers.disagreements(remains.accepted, givenPairs(remains));
  const breaches = ledger.breaches();
  const times = (gone: Gone, of: 'leaseMs' | 'offerMs'): Times =>
    summary(leaders.takeOvers.flatMap((one) => (one.gone === gone ? (one[of] ?? []) : [])));
  const details = [
    ...breaches.flatMap(({ breach, examples }) => examples.map((what) => `${BREACHES[breach]}: ${what}`)),
    ...Object.values(findings).flat(),
    ...disagreements,
    ...leaders.leaderless,
    ...crashes,
  ];
  return {
    options,
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      load: loadavg(),
      node: process.version,
    },
    clock: material.clock,
    wallS: material.wallS,
    promised: material.promised,
    log: ledger.counts(),
    answers: answers.counts(),
    takeOvers: {
      killed: { lease: times('killed', 'leaseMs'), offer: times('killed', 'offerMs') },
      frozen: { lease: times('frozen', 'leaseMs'), offer: times('frozen', 'offerMs') },
    },
    afterRedis: summary(leaders.afterRedisMs),
    stayed: findings.stayed.length,
    quiet: leaders.quiet,
    mistaken: leaders.mistaken,
    failedStarts: material.failedStarts,
    counts,
    details: details.slice(0, MOST_DETAILS),
    problems: problemsOf(material, disagreements.length),
  };
}

function problemsOf(material: Material, disagreements: number): string[] {
  const { ledger, leaders, findings, crashes, unread, streamFailure, notCreated, wereLeadersHurt } = material;
  const slow = leaders.takeOvers.filter(({ leaseMs }) => (leaseMs ?? 0) > LIMIT_MS).length;
  const limit = `${LIMIT_MS / 1000} s`;
  const checks: [number, string][] = [
    ...ledger.breaches().map(({ breach, count }): [number, string] => [count, BREACHES[breach]]),
    [findings.lost.length, 'deliveries lost, not ended or without their whole history'],
    [findings.unfounded.length, 'assignments and accepted offers that do not pair off'],
    [findings.leftOver.length, 'offers still open or deliveries still assigned at the end'],
    [disagreements, 'accepts whose answer differs from what is stored'],
    [leaders.leaderless.length + slow, `regions without a leader for ${limit}`],
    [wereLeadersHurt && leaders.takeOvers.length === 0 ? 1 : 0, 'run without a take-over, so none was measured'],
    [crashes.length, 'servers ended by themselves'],
    [notCreated, 'deliveries were not created in time'],
    [Math.abs(unread), 'events that the reader did not receive'],
    [streamFailure === null ? 0 : 1, `broken stream of commits: ${streamFailure}`],
  ];
  return checks.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
}

/** The report as lines of a table for readers. */
export function tableOf(report: ChaosReport): string[] {
  const { log, answers, takeOvers, machine, counts, clock } = report;
  const ended = Object.entries(log.ended).map(([state, count]) => `${count} ${state}`);
  const rows: [string, string][] = [
    ['machine', `${machine.cores} × ${machine.cpu}, load ${machine.load[0]?.toFixed(1)}, Node ${machine.node}`],
    ['service clock', `${clock.scale} times as fast, up to ${clock.skewMs / 1000} s apart`],
    ['deliveries', `${report.promised} created, ${ended.join(', ')} (returns included)`],
    ['events committed', `${log.events}`],
    ['offers', `${log.offers}, ${log.byOldLeader} of them by a replaced leader, of which ${report.stayed} stayed`],
    ['assigned / given back', `${log.assigned} / ${log.unassigned}`],
    ['accepts', `${answers.tries} tries: ${answers.ok} yes, ${answers.refused} no, ${answers.unknown} unknown`],
    ['leader killed: next leads', timesText(takeOvers.killed.lease)],
    ['leader killed: next asks', timesText(takeOvers.killed.offer)],
    ['leader frozen: next leads', timesText(takeOvers.frozen.lease)],
    ['leader frozen: next asks', timesText(takeOvers.frozen.offer)],
    ['none waited / not led', `${report.quiet} / ${report.mistaken}`],
    ['Redis is back: first offer', timesText(report.afterRedis)],
    ['starts that failed', `${report.failedStarts}`],
    ...Object.entries(counts).map(([what, count]): [string, string] => [what, `${count}`]),
    ['wall time', `${report.wallS.toFixed(0)} s`],
  ];
  return [...rows.map(([name, value]) => `${name.padEnd(30)} ${value}`), ...report.details];
}

function timesText({ n, p50, p95, max }: Times): string {
  return n === 0 ? 'never' : `${n} times, ms: p50 ${p50}  p95 ${p95}  max ${max}`;
}

/** The last line of the output. */
export function lastLine({ problems, promised, log, takeOvers, wallS }: ChaosReport): string {
  const slowest = Math.max(takeOvers.killed.lease.max, takeOvers.frozen.lease.max);
  const hurt = takeOvers.killed.lease.n + takeOvers.frozen.lease.n;
  const kept = `${promised} deliveries, ${log.offers} offers, 0 with two couriers, 0 lost`;
  return lastLineOf(problems, `${kept}, ${hurt} take-overs in ${slowest} ms at most, ${wallS.toFixed(0)} s`);
}
