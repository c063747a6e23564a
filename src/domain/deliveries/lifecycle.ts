import type { Times } from './delivery.ts';
import type { EventType } from './events.ts';
import { GUARDS, type Facts, type Guard } from './guards.ts';
import { anyOf, type No, type RefusalCode } from '../refusals/refusals.ts';
import { STATES, type ActorType, type Stage, type State, type Verb } from './states.ts';

/** The ways in which a verb books in the ledger, with sentences of the documents. All but the hold end a delivery. */
export const BOOKS = {
  hold: 'The wallet reserves the fee without the share of the platform, and the tip.',
  charge: 'The vendor pays the fee, the waiting and the tip. The courier is paid. The rest of the hold is given back.',
  charge_failure:
    'The vendor pays for drop-offs that failed through vendor or recipient, and for waiting. The courier is paid for them.',
  charge_cancel: 'The vendor pays the fee of the cancellation policy. The courier is paid their share of it.',
} as const;
export type Books = keyof typeof BOOKS;

export type Row = {
  readonly verb: Verb;
  readonly from: readonly (State | null)[];
  readonly to: State;
  readonly by: readonly ActorType[];
  readonly emits: EventType;
  readonly when?: Guard;
  /** Absent: the verb moves no money. */
  readonly books?: Books;
};

const OPENERS = ['vendor', 'staff', 'internal'] as const;
const HANDS = ['courier', 'staff'] as const;
const ASSIGNERS = ['courier', 'staff', 'internal'] as const;
const SENSED = ['courier', 'system'] as const;
const BEFORE_PICKUP = ['scheduled', 'searching', 'assigned'] as const;
const ON_THE_WAY = ['picked_up', 'in_transit'] as const;

/** Everything that can happen to a delivery. `step` alone reads it to decide. */
// One row per line: this is a table.
// oxfmt-ignore
export const TRANSITIONS = [
  { verb: 'create',          from: [null],         to: 'searching',  by: OPENERS,   emits: 'delivery.created', when: 'canStartNow', books: 'hold' },
  { verb: 'schedule',        from: [null],         to: 'scheduled',  by: OPENERS,   emits: 'delivery.created', when: 'hasSoundWindow', books: 'hold' },
  { verb: 'start_search',    from: ['scheduled'],  to: 'searching',  by: ['system'], emits: 'delivery.searching', when: 'isDue' },
  { verb: 'assign',          from: ['searching'],  to: 'assigned',   by: ASSIGNERS, emits: 'courier.assigned', when: 'canTake' },
  { verb: 'unassign',        from: ['assigned'],   to: 'searching',  by: [...HANDS, 'vendor', 'system'], emits: 'courier.unassigned', when: 'mayLetGo' },
  { verb: 'arrive_pickup',   from: ['assigned'],   to: 'assigned',   by: SENSED,    emits: 'courier.arrived_pickup' },
  { verb: 'pick_up',         from: ['assigned'],   to: 'picked_up',  by: HANDS,     emits: 'picked_up' },
  { verb: 'depart',          from: ['picked_up'],  to: 'in_transit', by: SENSED,    emits: 'in_transit' },
  { verb: 'arrive_drop_off', from: ['in_transit'], to: 'in_transit', by: SENSED,    emits: 'courier.arrived_drop_off' },
  { verb: 'deliver',         from: ['in_transit'], to: 'delivered',  by: HANDS,     emits: 'delivered', when: 'allStopsEnded', books: 'charge' },
  { verb: 'fail',            from: ON_THE_WAY,     to: 'failed',     by: [...HANDS, 'system'], emits: 'delivery.failed', when: 'allStopsFailed', books: 'charge_failure' },
  { verb: 'cancel',          from: BEFORE_PICKUP,  to: 'canceled',   by: ['vendor', 'staff', 'system'], emits: 'canceled', when: 'mayStopSearch', books: 'charge_cancel' },
  { verb: 'cancel',          from: ON_THE_WAY,     to: 'canceled',   by: ['vendor', 'staff', 'system'], emits: 'canceled', when: 'isBeforeLastProof', books: 'charge_cancel' },
  // The birth of a return, opened by fail, by the second cancel, or by a deliver that leaves goods with the courier.
  { verb: 'open_return',     from: [null],         to: 'in_transit', by: ['system'], emits: 'delivery.created', when: 'isReturn' },
] as const satisfies readonly Row[];

export type Transition = (typeof TRANSITIONS)[number];
/** The rows of a verb. */
export type RowOf<V extends Verb> = Extract<Transition, { readonly verb: V }>;

export type Step<V extends Verb = Verb> =
  | { readonly ok: true; readonly row: RowOf<V> }
  | { readonly ok: false; readonly code: RefusalCode; readonly told: No };

/** Judges one verb by one kind of actor on a state: returns the row to follow, or the refusal. Pure. */
export function step<V extends Verb>(from: State | null, verb: V, by: ActorType, facts: Facts): Step<V> {
  const found = findRow(from, verb, by);
  if (!found.ok) return found;
  const row: Row = found.row;
  const no = row.when === undefined ? null : GUARDS[row.when](facts, by);
  return no === null ? found : { ok: false, code: no.code, told: no };
}

/**
 * The row of a verb without its guard. An action at a stop that is not the last needs no more: the verb must be open to
 * its actor in this state. The guard asks for all stops.
 */
export function findRow<V extends Verb>(from: State | null, verb: V, by: ActorType): Step<V> {
  const leaving = TRANSITIONS.filter((row: Row) => row.from.includes(from));
  const row = leaving.find((candidate): candidate is RowOf<V> => candidate.verb === verb);
  if (row === undefined) return notAllowed(from, verb, leaving);
  const allowed: readonly ActorType[] = row.by;
  return allowed.includes(by)
    ? { ok: true, row }
    : { ok: false, code: 'forbidden', told: notTheirs(verb, by, allowed) };
}

/** Says whether this kind of actor may do the verb in any state at all. */
export function mayEverDo(verb: Verb, by: ActorType): boolean {
  return TRANSITIONS.some((row: Row) => row.verb === verb && row.by.includes(by));
}

/** The states that each verb leads out of. They are kept, because loops over all deliveries ask for them each second. */
const STATES_BEFORE: ReadonlyMap<Verb, ReadonlySet<State | null>> = new Map(
  TRANSITIONS.map(({ verb }) => [
    verb,
    new Set(TRANSITIONS.filter((row) => row.verb === verb).flatMap(({ from }: Row) => from)),
  ]),
);

/** Says whether the verb leads out of this state or back into it, for any actor. */
export function leavesFrom(state: State, verb: Verb): boolean {
  return STATES_BEFORE.get(verb)?.has(state) ?? false;
}

/** Says whether the verb leads to this state. */
export function isResultOf(verb: Verb, state: State): boolean {
  return TRANSITIONS.some((row: Row) => row.verb === verb && row.to === state);
}

function notAllowed(from: State | null, verb: Verb, leaving: readonly Transition[]): Extract<Step, { ok: false }> {
  const code = 'invalid_state_transition';
  const to = TRANSITIONS.find((row) => row.verb === verb)?.to ?? null;
  const allowed = [...new Set(leaving.map((row) => row.to).filter((state) => state !== from))];
  const detail =
    allowed.length === 0
      ? `The delivery is \`${from}\` and cannot change any more.`
      : `\`${verb}\` is not possible while the delivery is \`${from}\`; from there it can become ${anyOf(allowed)}.`;
  return { ok: false, code, told: { code, detail, metadata: { from, to, allowed } } };
}

/** The refusal for an actor who may not do this verb. */
export function notTheirs(verb: Verb, by: ActorType, allowed: readonly ActorType[] = actorsOf(verb)): No {
  const detail = `\`${verb}\` is for ${anyOf(allowed)}; the caller is \`${by}\`.`;
  return { code: 'forbidden', detail };
}

function actorsOf(verb: Verb): readonly ActorType[] {
  return [...new Set(TRANSITIONS.filter((row) => row.verb === verb).flatMap((row: Row) => row.by))];
}

/** The stage that a verb sets. A verb that is not listed clears it. */
const STAGE_AFTER: Partial<Record<Verb, Stage>> = {
  assign: 'en_route_to_pickup',
  arrive_pickup: 'arrived_at_pickup',
  depart: 'en_route_to_drop_off',
  arrive_drop_off: 'arrived_at_drop_off',
  open_return: 'en_route_to_drop_off',
};

/** The stage a delivery is in after this verb. */
export function stageAfter(verb: Verb): Stage | null {
  return STAGE_AFTER[verb] ?? null;
}

/** The time that a verb records. */
const STAMPED_BY: Partial<Record<Verb, keyof Times>> = {
  create: 'searchingAt',
  start_search: 'searchingAt',
  assign: 'assignedAt',
  arrive_pickup: 'arrivedPickupAt',
  pick_up: 'pickedUpAt',
  depart: 'inTransitAt',
  arrive_drop_off: 'arrivedDropOffAt',
  deliver: 'deliveredAt',
  fail: 'failedAt',
  cancel: 'canceledAt',
  open_return: 'inTransitAt',
};

/** The times after this verb. The first time of each kind stays. Unassigning forgets the times of the courier. */
export function timesAfter(verb: Verb, times: Times, now: number): Times {
  if (verb === 'unassign') return { ...times, assignedAt: null, arrivedPickupAt: null };
  const name = STAMPED_BY[verb];
  return name === undefined ? times : { ...times, [name]: times[name] ?? now };
}

/** Says whether nothing leaves this state. */
export function isTerminal(state: State): boolean {
  return !TRANSITIONS.some((row: Row) => row.from.includes(state));
}

export const OPEN_STATES: readonly State[] = STATES.filter((state) => !isTerminal(state));
export const ENDED_STATES: readonly State[] = STATES.filter(isTerminal);

/** The states in which the delivery is assigned to a courier. */
export const STATES_WITH_COURIER: readonly State[] = ['assigned', 'picked_up', 'in_transit'];

/** Says whether a delivery in this state is assigned to a courier. */
export function hasCourier(state: State): boolean {
  return STATES_WITH_COURIER.includes(state);
}

/** The states in which a recipient may see the courier: from pickup to the end. */
export const SHOWN_STATES: readonly State[] = ['picked_up', 'in_transit'];

/** The table as a Mermaid state diagram, for the generated documents. */
export function diagram(): string {
  const lines = TRANSITIONS.flatMap((row: Row) =>
    row.from.map((from) => `    ${from ?? '[*]'} --> ${row.to}: ${row.verb} (${row.by.join(', ')})`),
  );
  const ends = ENDED_STATES.map((state) => `    ${state} --> [*]`);
  return ['stateDiagram-v2', ...lines, ...ends].join('\n');
}
