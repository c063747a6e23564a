// The faults of a run, and when each is made.
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../random.ts';
import type { KillableEngines } from '../../engines/killable-engines.ts';
import { askLeaders, type Leaders } from '../judge/leaders.ts';
import type { Servers } from './servers.ts';
import type { Counts } from '../people/world.ts';

export const FAULTS = [
  'kill a leader',
  'freeze a leader',
  'kill any',
  'freeze any',
  'restart Redis',
  'empty Redis',
] as const;
export type Fault = (typeof FAULTS)[number];

/** How often each fault comes in one round of a long run. The rounds are shuffled. */
const ROUND: Readonly<Record<Fault, number>> = {
  'kill a leader': 5,
  'freeze a leader': 5,
  'kill any': 2,
  'freeze any': 2,
  'restart Redis': 1,
  'empty Redis': 1,
};

/** Machine ms between the starts of two faults. */
const GAP_MS = { least: 2500, most: 8000 };
/** The same for a plan, where each fault waits until the last one has healed. */
const PLAN_GAP_MS = { least: 1000, most: 1500 };
/** How long a server is frozen: longer than its leases live (3 s), but shorter than the patience of a client. */
const FROZEN_MS = { least: 5000, most: 9000 };
const REDIS_DOWN_MS = { least: 300, most: 2500 };
/** How long to look for a leader before any server is taken. A plan wants a leader, also on a busy machine. */
const SEEK_MS = 3000;
const PLAN_SEEK_MS = 60_000;
const SEEK_AGAIN_MS = 100;

export type FaultsOptions = {
  readonly servers: Servers;
  readonly engines: KillableEngines;
  readonly leaders: Leaders;
  readonly random: Random;
  readonly counts: Counts;
  /** Makes these faults once, in this order. Null continues until stopped. */
  readonly plan: readonly Fault[] | null;
};

export type Faults = {
  /** Settles when the plan is done, or after `stop` when everything runs again. */
  readonly done: Promise<void>;
  stop(): void;
};

/** Starts to make faults. At least one server always runs. */
export function startFaults(options: FaultsOptions): Faults {
  const { random } = options;
  let isStopped = false;
  const wounds = new Set<Promise<void>>();
  const strike = async (fault: Fault): Promise<void> => {
    const { healed } = await inflict(options, fault);
    wounds.add(healed);
    void healed.finally(() => wounds.delete(healed));
  };
  const run = async (): Promise<void> => {
    const { least, most } = options.plan === null ? GAP_MS : PLAN_GAP_MS;
    for (const fault of options.plan ?? endless(random)) {
      await pause(random.between(least, most));
      while (!isStopped && options.servers.awake().length < 2) await pause(SEEK_AGAIN_MS);
      if (isStopped) break;
      await strike(fault);
      // The faults of a short plan are measured, so they come one at a time.
      if (options.plan !== null) await Promise.all(wounds);
      while (options.plan !== null && !options.leaders.isSettled()) await pause(SEEK_AGAIN_MS);
    }
    await Promise.all(wounds);
  };
  return { done: run(), stop: () => void (isStopped = true) };
}

function* endless(random: Random): Generator<Fault> {
  for (;;) {
    const left = FAULTS.flatMap((fault) => Array.from({ length: ROUND[fault] }, () => fault));
    while (left.length > 0) {
      const [fault] = left.splice(Math.floor(random.next() * left.length), 1);
      if (fault !== undefined) yield fault;
    }
  }
}

/** A fault that heals by itself. `healed` settles when everything works again. */
type Wound = { readonly healed: Promise<void> };

async function inflict(options: FaultsOptions, fault: Fault): Promise<Wound> {
  options.counts.add(`fault: ${fault}`);
  switch (fault) {
    case 'kill a leader':
      return kill(options, await seekLeader(options));
    case 'freeze a leader':
      return freeze(options, await seekLeader(options));
    case 'kill any':
      return kill(options, await pickAny(options));
    case 'freeze any':
      return freeze(options, await pickAny(options));
    case 'restart Redis':
      return { healed: restartRedis(options, 'as it was') };
    case 'empty Redis':
      return { healed: restartRedis(options, 'empty') };
  }
}

type Victim = { readonly index: number; readonly regions: readonly string[] };

/** A server that leads a region now, or any other one if none does for a while. */
async function seekLeader(options: FaultsOptions): Promise<Victim> {
  const deadline = performance.now() + (options.plan === null ? SEEK_MS : PLAN_SEEK_MS);
  while (performance.now() < deadline) {
    const led = [...(await askLeaders(options.servers.addresses, options.servers.awake()))];
    if (led.length > 0) {
      const [index, regions] = options.random.pick(led, () => 1);
      return { index, regions };
    }
    await pause(SEEK_AGAIN_MS);
  }
  return pickAny(options);
}

async function pickAny({ servers, random }: FaultsOptions): Promise<Victim> {
  const index = random.pick(servers.awake(), () => 1);
  return { index, regions: (await askLeaders(servers.addresses, [index])).get(index) ?? [] };
}

/** Kills a server with SIGKILL. The supervisor starts it again. */
function kill({ servers, leaders }: FaultsOptions, { index, regions }: Victim): Wound {
  servers.kill(index);
  leaders.watch(regions, 'killed');
  return { healed: Promise.resolve() };
}

function freeze({ servers, leaders, random }: FaultsOptions, { index, regions }: Victim): Wound {
  servers.freeze(index);
  leaders.watch(regions, 'frozen');
  const thaw = async (): Promise<void> => {
    await pause(random.between(FROZEN_MS.least, FROZEN_MS.most));
    servers.thaw(index);
  };
  return { healed: thaw() };
}

async function restartRedis(
  { engines, leaders, random }: FaultsOptions,
  state: Parameters<KillableEngines['startRedis']>[0],
): Promise<void> {
  leaders.redisIsDown();
  await engines.killRedis();
  await pause(random.between(REDIS_DOWN_MS.least, REDIS_DOWN_MS.most));
  await engines.startRedis(state);
  leaders.redisIsUp();
}
