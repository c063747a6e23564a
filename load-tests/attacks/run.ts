// Runs each attack in turn. Quiet phases and phases under attack alternate, and the waits of other users are measured.
import { setTimeout as pause } from 'node:timers/promises';
import { openStage, type Surroundings } from '../servers/stage.ts';
import { readProcess } from '../servers/usage.ts';
import type { Attack, Figures, Target } from './kinds/attack.ts';
import type { AttackOptions } from './options.ts';
import { bringOthers, type Others } from './others/others.ts';
import { judge, type AttackReport, type AttacksReport, type Memory, type Observed } from './report.ts';
import { startAttacker, type Attacker } from './start-attacker.ts';
import { ATTACKS } from './kinds/table.ts';

/** The other users work for this time before anything is measured, ms. */
const WARM_UP_MS = 3000;
/** The pause between an attack and the next quiet phase, ms. */
const SETTLE_MS = 1000;
const LOOK_MS = 200;
/**
 * The network of the attackers. Each has its own address, so that the limits of one do not protect the server from the
 * next. On Linux every address of 127.0.0.0/8 is the machine itself.
 */
const ATTACKER_NETWORK = '127.66.0';

/** Runs the attacks. Later problems are in the report. @throws if the server or the users cannot start */
export async function runAttacks(
  options: AttackOptions,
  around: Surroundings,
  say: (line: string) => void,
): Promise<AttacksReport> {
  const startedAt = performance.now();
  const { baseUrl: given, demo } = options;
  const stage = await openStage({ baseUrl: given, demo, servers: 1, speed: 1, set: {} }, around, say);
  const attacker = startAttacker();
  let isGood = false;
  try {
    const baseUrl = stage.addresses[0] ?? '';
    const others = await bringOthers(baseUrl, stage.facts);
    const look: Look = () => lookAt(options.pid ?? stage.pids().get('server-1') ?? null);
    await others.work(WARM_UP_MS);
    const attacks: AttackReport[] = [];
    for (const [index, attack] of ATTACKS.entries()) {
      if (!options.only.includes(attack.name)) continue;
      say(`${attack.name}: ${attack.what}`);
      const spare = await others.makeSpare();
      const target = { ...spare, ...placeOf(baseUrl, index), facts: stage.facts };
      attacks.push(await play({ attack, target, others, attacker, look }, options));
      await others.remove(spare.deliveryId);
    }
    await others.leave();
    const problems = attacks.flatMap(({ name, problems: own }) => own.map((problem) => `${name}: ${problem}`));
    isGood = problems.length === 0;
    return { attacks, problems, wallS: (performance.now() - startedAt) / 1000 };
  } finally {
    attacker.close();
    await stage.close(!isGood);
  }
}

/** The address of the server, and the address of the attacker. */
function placeOf(baseUrl: string, index: number): Pick<Target, 'baseUrl' | 'host' | 'port' | 'localAddress'> {
  const { hostname: host, port } = new URL(baseUrl);
  const isHere = ['127.0.0.1', 'localhost'].includes(host);
  const localAddress = isHere ? `${ATTACKER_NETWORK}.${index + 1}` : undefined;
  return { baseUrl, host, port: Number(port || 80), localAddress };
}

/** The CPU seconds and the memory of the server so far. Null if its process is not known. */
type Look = () => ReturnType<typeof readProcess>;

function lookAt(pid: number | null): ReturnType<Look> {
  return pid === null ? null : readProcess(pid);
}

type Scene = {
  readonly attack: Attack;
  readonly target: Target;
  readonly others: Others;
  readonly attacker: Attacker;
  readonly look: Look;
};

async function play(scene: Scene, options: AttackOptions): Promise<AttackReport> {
  const { attack, target, attacker, look } = scene;
  const seconds = Math.max(options.seconds, (2 * (attack.mostMsOpen ?? 0)) / 1000);
  const [quiet, during]: [Observed[], Observed[]] = [[], []];
  const figures: Figures[] = [];
  const watch = watchMemory(look);
  for (let round = 0; round < options.rounds; round += 1) {
    quiet.push(await observe(scene, seconds));
    const stop = attacker.start(attack.name, target);
    during.push(await observe(scene, seconds));
    figures.push(await stop());
    await pause(SETTLE_MS);
  }
  return judge(attack, { quiet, during, figures, memory: watch.end() });
}

/** Lets the others work for this time, and measures the CPU time of the server. */
async function observe({ others, look }: Scene, seconds: number): Promise<Observed> {
  const [before, startedAt] = [look(), performance.now()];
  const phase = await others.work(seconds * 1000);
  const [after, tookS] = [look(), (performance.now() - startedAt) / 1000];
  return { ...phase, cpuShare: ((after?.cpuS ?? NaN) - (before?.cpuS ?? NaN)) / tookS };
}

/** The memory now, and the highest until the end. Null if it cannot be read. */
function watchMemory(look: Look): { end(): Memory | null } {
  const beforeMb = look()?.mb ?? null;
  let peakMb = beforeMb ?? 0;
  const timer = setInterval(() => (peakMb = Math.max(peakMb, look()?.mb ?? 0)), LOOK_MS);
  return {
    end: () => {
      clearInterval(timer);
      return beforeMb === null ? null : { beforeMb, peakMb };
    },
  };
}
