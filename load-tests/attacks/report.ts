// Judges how an attack affected the other users, and prints it as a table. Pure.
import { lastLineOf } from '../command-line.ts';
import { quantile } from '../statistics.ts';
import type { Attack, Figures } from './kinds/attack.ts';
import { KINDS, type Kind, type Phase } from './others/others.ts';

/** A phase, and the CPU time of the server in it as a share of one core. NaN if its process is not known. */
export type Observed = Phase & { readonly cpuShare: number };

/** Resident memory of the server, MB. */
export type Memory = { readonly beforeMb: number; readonly peakMb: number };

/** The quantiles of each round, and their medians over the rounds, ms. */
export type Waits = { readonly count: number; readonly p50: number; readonly p99: number };

export type AttackReport = {
  readonly name: string;
  readonly kinds: Readonly<Record<Kind, { readonly quiet: Waits; readonly during: Waits }>>;
  /** Null if the server's process is not known. */
  readonly memory: Memory | null;
  /** The CPU time of the server as a share of one core: the medians of the rounds. NaN if its process is not known. */
  readonly cpuShare: { readonly quiet: number; readonly during: number };
  /** The sums of the rounds, or their maxima. */
  readonly figures: Figures;
  readonly problems: readonly string[];
};

export type AttacksReport = {
  readonly attacks: readonly AttackReport[];
  /** Every problem, with the name of its attack. */
  readonly problems: readonly string[];
  readonly wallS: number;
};

/**
 * Under attack, the 99th percentile may reach the larger of these: a multiple of its quiet value, or this many ms more.
 */
const MOST_TIMES = 1.5;
const MOST_MORE_MS = 20;
/** The memory that a server may take during an attack, MB. Garbage of the ordinary load takes up to half of it. */
const MOST_MORE_MB = 150;

type Seen = {
  readonly quiet: readonly Observed[];
  readonly during: readonly Observed[];
  /** The figures of each round. */
  readonly figures: readonly Figures[];
  readonly memory: Memory | null;
};

/** Judges one attack by its observations. */
export function judge({ name, mostMsOpen }: Pick<Attack, 'name' | 'mostMsOpen'>, seen: Seen): AttackReport {
  const { quiet, during, memory } = seen;
  const figures = seen.figures.reduce(added, {});
  const kinds = Object.fromEntries(
    KINDS.map((kind) => [kind, { quiet: waitsOf(quiet, kind), during: waitsOf(during, kind) }]),
  ) as AttackReport['kinds'];
  const slow = KINDS.filter((kind) => isSlow(kinds[kind])).map(
    (kind) => `${kind} took ${ms(kinds[kind].during.p99)} at p99, ${ms(kinds[kind].quiet.p99)} in quiet times`,
  );
  const [lost, lostQuiet] = [countLost(during), countLost(quiet)];
  const grown = memory === null ? 0 : memory.peakMb - memory.beforeMb;
  const problems = [
    ...slow,
    ...(lost > lostQuiet ? [`${lost} requests of others were refused or lost, ${lostQuiet} in quiet times`] : []),
    ...(grown > MOST_MORE_MB ? [`the server took ${grown.toFixed(0)} MB more, above ${MOST_MORE_MB}`] : []),
    ...(mostMsOpen === undefined
      ? []
      : seen.figures.flatMap((round, index) => notClosed(round, index + 1, mostMsOpen))),
    ...(Object.values(figures).some((figure) => figure > 0) ? [] : ['the attack did nothing']),
  ];
  const cpuShare = { quiet: cpuShareOf(quiet), during: cpuShareOf(during) };
  return { name, kinds, memory, cpuShare, figures, problems };
}

function added(a: Figures, b: Figures): Figures {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const both = (name: string, x = 0, y = 0): number => (name.startsWith('most') ? Math.max(x, y) : x + y);
  return Object.fromEntries(names.map((name) => [name, both(name, a[name], b[name])]));
}

/** Judges one round of a flood. */
function notClosed(figures: Figures, round: number, mostMsOpen: number): string[] {
  const { connections = 0, closed_by_server: closed = 0, most_ms_open: ms = 0 } = figures;
  if (connections === 0) return [`round ${round}: no connection of the flood was let in`];
  if (ms > mostMsOpen) return [`round ${round}: a connection of the flood was open for ${ms} ms, above ${mostMsOpen}`];
  return closed > 0 ? [] : [`round ${round}: the server closed no connection of the flood`];
}

function isSlow({ quiet, during }: { quiet: Waits; during: Waits }): boolean {
  // Without a value nothing is proven, and NaN fails the comparison.
  return !(during.p99 <= Math.max(MOST_TIMES * quiet.p99, quiet.p99 + MOST_MORE_MS));
}

function countLost(phases: readonly Phase[]): number {
  return phases.reduce((sum, { failures, retries }) => sum + failures + retries, 0);
}

function cpuShareOf(phases: readonly Observed[]): number {
  return quantile(
    phases.map(({ cpuShare }) => cpuShare),
    0.5,
  );
}

/** The median of the rounds, so that one disturbed round does not decide. */
function waitsOf(phases: readonly Phase[], kind: Kind): Waits {
  const rounds = phases.map(({ waits }) => waits[kind]);
  const median = (share: number): number =>
    quantile(
      rounds.map((values) => quantile(values, share)),
      0.5,
    );
  return { count: rounds.flat().length, p50: median(0.5), p99: median(0.99) };
}

/** The report as lines of a table for readers. */
export function tableOf({ attacks, wallS }: AttacksReport): string[] {
  return [...attacks.flatMap(linesOf), '', ...LEGEND, '', `${'wall time'.padEnd(18)} ${wallS.toFixed(0)} s`];
}

const LEGEND = [
  'ms, medians over the rounds; p50 and p99: half, 99 in a hundred actions took no longer; list and create: over REST;',
  "ping: a courier's position until its answer; track: a courier's position until the recipient's page has it",
];

/** The last line of the output. */
export function lastLine({ attacks, problems }: AttacksReport): string {
  return lastLineOf(problems, `${attacks.length} attacks, others unharmed`);
}

function linesOf({ name, kinds, memory, cpuShare, figures, problems }: AttackReport): string[] {
  const rows = KINDS.map((kind) => {
    const { quiet, during } = kinds[kind];
    const cells = [quiet.p50, during.p50, quiet.p99, during.p99].map((value) => value.toFixed(1).padStart(9));
    return `  ${kind.padEnd(16)} ${cells.join('')}   ${`${quiet.count} / ${during.count}`}`;
  });
  const did = Object.entries(figures).map(([what, count]) => `${count} ${what}`);
  return [
    '',
    `${name}: ${lastLineOf(problems)}`,
    `  ${'ms'.padEnd(16)} p50 quiet   during p99 quiet   during   actions`,
    ...rows,
    `  ${'memory, MB'.padEnd(16)} ${memory === null ? 'not known' : `${memory.beforeMb.toFixed(0)} before, ${memory.peakMb.toFixed(0)} at most`}`,
    `  ${'CPU of a core'.padEnd(16)} ${cpuText(cpuShare)}`,
    `  ${'the attack'.padEnd(16)} ${did.join(', ')}`,
  ];
}

/** The others do the same in both phases, so the difference is the attack's. */
function cpuText({ quiet, during }: AttackReport['cpuShare']): string {
  if (Number.isNaN(during - quiet)) return 'not known';
  return `${percent(quiet)} quiet, ${percent(during)} during, so ${percent(during - quiet)} for the attack`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
