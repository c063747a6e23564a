import type { CourierId } from '../../domain/ids.ts';
import { isAhead, judgeFix, type DropReason, type Fix } from '../../domain/couriers/position.ts';
import type { Context } from '../../ports/context.ts';
import type { Phone } from '../../ports/dispatch/positions.ts';

type Needs = Pick<Context, 'positions' | 'phones' | 'clock' | 'settings' | 'metrics'>;

export type Recorded = {
  /** The highest sequence number up to which nothing is missing. The phone continues after it. */
  readonly seq: number;
  readonly accepted: number;
  readonly dropped: number;
  /** Why the first of the dropped fixes was dropped; absent if none was. */
  readonly reason?: DropReason;
  /** Set if the batch came too soon: how long to wait, service time in ms. */
  readonly slowDownMs?: number;
};

/**
 * The one way in for positions. A batch above the courier's rate is dropped whole, and its answer says how long to
 * wait. Each fix is judged. The newest good one becomes the position; the others only show that the courier is there. A
 * bad fix counts as received too, since sending it again would not improve it. Synchronous, and never refuses.
 */
export function recordPositions(ctx: Needs, courierId: CourierId, fixes: readonly Fix[]): Recorded {
  const now = ctx.clock.now();
  const phone = phoneOf(ctx, courierId, now);
  const waitMs = takeToken(phone, ctx.settings.positions, now);
  if (waitMs > 0) {
    ctx.metrics.count('position_fixes_total', { verdict: 'too_many' }, fixes.length);
    return { seq: phone.seq, accepted: 0, dropped: fixes.length, reason: 'too_many', slowDownMs: waitMs };
  }
  const [first] = fixes;
  if (first !== undefined) align(phone, first, now);
  const { newest, good, still, fault } = judgeAll(ctx, phone, fixes, now);
  if (newest === null) {
    ctx.positions.touch([courierId]);
  } else {
    ctx.metrics.count('position_fixes_total', { verdict: 'accepted' }, good);
    const position = { ...newest, courierId, receivedAt: now };
    // The phone keeps the same object, because one more for each courier would soon be old, and costly to collect.
    phone.last = position;
    ctx.positions.put(position);
  }
  const accepted = good + still;
  const recorded = { seq: phone.seq, accepted, dropped: fixes.length - accepted };
  return fault === null ? recorded : { ...recorded, reason: fault };
}

type Judged = {
  readonly newest: Fix | null;
  readonly good: number;
  readonly still: number;
  /** The fault of the first bad fix. */
  readonly fault: DropReason | null;
};

/** Judges a batch in the order of arrival. */
function judgeAll({ metrics }: Needs, phone: Phone, fixes: readonly Fix[], now: number): Judged {
  let newest: Fix | null = null;
  let good = 0;
  let still = 0;
  let fault: DropReason | null = null;
  for (const fix of fixes) {
    const verdict = judgeFix(phone, fix, now);
    if (fix.seq === phone.seq + 1) phone.seq = fix.seq;
    if (!isAhead(fix, now)) phone.newestAt = Math.max(phone.newestAt, fix.at);
    if (verdict === 'accepted') {
      good += 1;
      newest = fix;
      phone.last = fix;
      phone.suspect = null;
      continue;
    }
    if (verdict === 'presence_only') still += 1;
    else fault ??= verdict;
    if (verdict === 'suspect') phone.suspect = fix;
    metrics.count('position_fixes_total', { verdict });
  }
  return { newest, good, still, fault };
}

/** The memory of this phone. If there are too many, the least recently active one is forgotten. */
function phoneOf({ phones, positions, settings }: Needs, courierId: CourierId, now: number): Phone {
  const { mostPerProcess } = settings.sockets;
  const known = positions.last(courierId);
  const kept = phones.get(courierId);
  const phone = kept ?? newPhone(settings, now);
  if (known !== null && known.at > (phone.last?.at ?? -1)) catchUp(phone, known);
  // A move costs time at each ping. So the order follows activity only while the map is more than half full.
  if (kept === undefined || phones.size > mostPerProcess / 2) {
    phones.delete(courierId);
    phones.set(courierId, phone);
  }
  if (phones.size > mostPerProcess) {
    const [oldest] = phones.keys();
    if (oldest !== undefined) phones.delete(oldest);
  }
  return phone;
}

function newPhone({ positions }: Needs['settings'], now: number): Phone {
  return { last: null, suspect: null, seq: -1, newestAt: -1, holeAt: -1, tokens: positions.batchBurst, filledAt: now };
}

/** Another process knows a newer fix of this phone. */
function catchUp(phone: Phone, known: Fix): void {
  phone.last = known;
  phone.suspect = null;
  phone.seq = Math.max(phone.seq, known.seq);
  phone.newestAt = Math.max(phone.newestAt, known.at);
}

/** Takes one token from the courier's bucket. Returns how long to wait if it is empty, else 0. */
function takeToken(
  phone: Phone,
  { batchesPerSecond, batchBurst }: Needs['settings']['positions'],
  now: number,
): number {
  const gained = (Math.max(0, now - phone.filledAt) / 1000) * batchesPerSecond;
  phone.tokens = Math.min(batchBurst, phone.tokens + gained);
  phone.filledAt = now;
  if (phone.tokens < 1) return Math.ceil(((1 - phone.tokens) / batchesPerSecond) * 1000);
  phone.tokens -= 1;
  return 0;
}

/**
 * Sets the count by where a batch starts. A phone that counts from the start again (a new installation) has newer fixes
 * under old numbers: newer than all that were received, because fixes that are sent again are not. The server waits once
 * for a hole to be filled. A phone that starts after it again has lost the fixes in it.
 */
function align(phone: Phone, first: Fix, now: number): void {
  const { last, seq, newestAt, holeAt } = phone;
  const isNewer = first.at > newestAt && !isAhead(first, now);
  const isNewCount = isNewer && first.seq <= Math.max(seq, last?.seq ?? -1);
  const isAfterHole = first.seq > seq + 1;
  const isLostHole = isAfterHole && first.seq === holeAt;
  if (isAfterHole) phone.holeAt = first.seq;
  if (seq >= 0 && !isNewCount && !isLostHole) return;
  phone.seq = first.seq - 1;
  if (isNewCount && last !== null) phone.last = { ...last, seq: first.seq - 1 };
}
