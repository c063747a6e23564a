import { Refusal } from '../../domain/refusals/refusals.ts';
import type { AuditEntry } from '../../domain/audit.ts';
import type { Context } from '../../ports/context.ts';
import type { Command } from '../ledger/decide.ts';
import { lookedAt, moveOutgoing, type Booking, type Outgoing, type OutgoingVerb } from './outgoing.ts';
import type { OwnCause, Sending, Transfer, TransferStatus } from './transfer.ts';

type Needs = Pick<Context, 'clock' | 'log'>;

/** A kind of money that leaves: how its gateway carries it out and is asked, what it books, and where it is stored. */
export type OutgoingKind<Row extends Outgoing> = {
  /**
   * Does all that comes before the sending and moves no money. The sending changes nothing if the gateway has it already, because
   * the reference is the same.
   */
  prepare(row: Row): Promise<Sending>;
  find(row: Row): Promise<Transfer | 'absent'>;
  book(row: Row, booking: Booking): Command;
  /** Writes the next version with what it books and its audit entry. Returns false if it is stale. */
  replace(next: Row, command: Command | null, entry: AuditEntry | null): Promise<boolean>;
};

/** Sends or looks that may fail in a row. With the pauses between them they take about 14 hours. */
const MOST_FAILURES = 12;

/** What the status of a transfer means for money that has not arrived, and for money that has. Null changes nothing. */
// One row per line: this is a table.
// oxfmt-ignore
const VERBS: Readonly<Record<TransferStatus, { readonly open: OutgoingVerb | null; readonly paid: OutgoingVerb | null }>> = {
  pending:      { open: null,      paid: null },
  needs_action: { open: 'ask',     paid: null },
  success:      { open: 'pay',     paid: null },
  failed:       { open: 'fail',    paid: 'take_back' },
  reversed:     { open: 'reverse', paid: 'take_back' },
};

/**
 * Takes the next step at the gateway, if one is due. Somebody else may have taken it by now, which changes nothing.
 * @param ownsLease whether this process still leads the work. Without the lease, nothing is sent
 */
export async function advanceOutgoing<Row extends Outgoing>(
  ctx: Needs,
  given: OutgoingKind<Row>,
  row: Row,
  ownsLease: () => boolean,
): Promise<void> {
  const kind = whileOwned(given, ownsLease);
  switch (row.state) {
    case 'pending':
      return send(ctx, kind, row);
    case 'processing':
      return void (await orAsk(ctx, kind, row, 'no_usable_answer', () => look(ctx, kind, row)));
    case 'needs_action':
    case 'paid':
      return look(ctx, kind, row);
    case 'awaiting_approval':
    case 'failed':
    case 'reversed':
    case 'canceled':
      return;
  }
}

/** The same kind, but its sendings do nothing once the lease is lost: a successor may have found the note and acted on it. */
function whileOwned<Row extends Outgoing>(kind: OutgoingKind<Row>, ownsLease: () => boolean): OutgoingKind<Row> {
  return {
    ...kind,
    prepare: async (row) => {
      const sending = await kind.prepare(row);
      return async () => (ownsLease() ? sending() : 'not_taken');
    },
  };
}

/**
 * Prepares it, notes that it is sent, and then sends it. A preparation that fails has no consequence. After a crash after
 * the note, the gateway is asked first.
 */
async function send<Row extends Outgoing>(ctx: Needs, kind: OutgoingKind<Row>, row: Row): Promise<void> {
  const sending = await orAsk(ctx, kind, row, 'never_sent', () => kind.prepare(row));
  if (sending === null) return;
  const sent = await writeMove(ctx, kind, row, 'send');
  if (sent === null) return;
  const answer = await sending();
  return answer === 'not_taken' ? putBack(ctx, kind, row, sent) : apply(ctx, kind, sent, answer);
}

/** Takes back the note of a sending that has not happened. The next try comes after a pause, which grows with the tries. */
async function putBack<Row extends Outgoing>(
  ctx: Needs,
  kind: OutgoingKind<Row>,
  before: Row,
  sent: Row,
): Promise<void> {
  const waiting = await writeMove(ctx, kind, sent, 'put_back');
  if (waiting !== null) await kind.replace(lookedAt({ ...waiting, looks: before.looks }, ctx.clock.now()), null, null);
}

/** Takes a step. If it has failed too often, a person must act, because nobody else can end it. Then it returns null. */
async function orAsk<Row extends Outgoing, T>(
  ctx: Needs,
  kind: OutgoingKind<Row>,
  row: Row,
  cause: OwnCause,
  step: () => Promise<T>,
): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    if (row.failures + 1 < MOST_FAILURES) throw error;
    ctx.log.error({ id: row.id, gateway: row.gateway, cause, error }, UNUSABLE);
    await writeMove(ctx, kind, row, 'ask', cause);
    return null;
  }
}

const UNUSABLE =
  'the gateway of this money has not given a usable answer for hours, so a person must end it. Repair the cause that the error names';

async function look<Row extends Outgoing>(ctx: Needs, kind: OutgoingKind<Row>, row: Row): Promise<void> {
  const found = await kind.find(row);
  if (found !== 'absent') return apply(ctx, kind, row, found);
  if (row.state === 'processing') return sendAgain(ctx, kind, row);
  // A person is looking for it already.
  if (row.state === 'needs_action') return void (await kind.replace(lookedAt(row, ctx.clock.now()), null, null));
  throw new Error('the gateway does not know a transfer that it reported before');
}

async function sendAgain<Row extends Outgoing>(ctx: Needs, kind: OutgoingKind<Row>, row: Row): Promise<void> {
  const sending = await kind.prepare(row);
  const answer = await sending();
  if (answer !== 'not_taken') return apply(ctx, kind, row, doubt(answer));
  // The first try may have been taken.
  await kind.replace(lookedAt(row, ctx.clock.now()), null, null);
}

/**
 * The result of a second try. Mostly the gateway has not received the first one. It may still carry that one out, so a refusal of the
 * second proves nothing, and a person must look.
 */
function doubt(transfer: Transfer): Transfer {
  const isRefused = transfer.reason === ('refused_by_gateway' satisfies OwnCause);
  return isRefused ? { ...transfer, status: 'needs_action' } : transfer;
}

async function apply<Row extends Outgoing>(
  ctx: Needs,
  kind: OutgoingKind<Row>,
  row: Row,
  transfer: Transfer,
): Promise<void> {
  const next = judge(ctx, row, transfer);
  const moved = next === null ? null : await tryMove(ctx, kind, row, next.verb, next.reason);
  if (moved === 'stale') {
    const { id, gateway, state } = row;
    ctx.log.error({ id, gateway, state, transfer }, TOO_LATE);
    throw new Refusal('busy');
  }
  // Null also if it waits for a person already.
  if (moved === null) await kind.replace(lookedAt(row, ctx.clock.now()), null, null);
}

const TOO_LATE =
  'an answer of a gateway came after somebody else had changed this money. Compare what the server has with the gateway';

function judge(
  { log }: Needs,
  { id, amount, currency, state }: Outgoing,
  transfer: Transfer,
): { readonly verb: OutgoingVerb; readonly reason: string | null } | null {
  const end = state === 'paid' ? 'paid' : 'open';
  if (transfer.amount !== amount || transfer.currency !== currency) {
    const found = { amount: transfer.amount, currency: transfer.currency };
    log.error({ id, transfer: found }, 'a gateway carried out another amount or currency than it was asked for');
    return end === 'paid' ? null : { verb: 'ask', reason: 'transfer_differs' satisfies OwnCause };
  }
  const verb = VERBS[transfer.status][end];
  return verb === null ? null : { verb, reason: transfer.reason };
}

/** Writes a move and its entry in one transaction. Null if the verb does not lead from the state. Refuses `busy` if it is stale. */
export async function writeMove<Row extends Outgoing>(...move: Parameters<typeof tryMove<Row>>): Promise<Row | null> {
  const moved = await tryMove(...move);
  if (moved === 'stale') throw new Refusal('busy');
  return moved;
}

async function tryMove<Row extends Outgoing>(
  ctx: Needs,
  kind: Pick<OutgoingKind<Row>, 'book' | 'replace'>,
  before: Row,
  verb: OutgoingVerb,
  reason: string | null = before.reason,
): Promise<Row | null | 'stale'> {
  const moved = moveOutgoing(before, verb, ctx.clock.now());
  if (moved === null) return null;
  const { books } = moved;
  const next = { ...moved.next, reason };
  if (!(await kind.replace(next, books === null ? null : kind.book(next, books), null))) return 'stale';
  if (books === 'give_back' || books === 'take_back')
    ctx.log.warn({ id: next.id, state: next.state, reason }, 'money that left through a gateway came back');
  return next;
}
