import { closeExpired } from '../close-offer.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { OfferId } from '../../domain/ids.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { Context } from '../../ports/context.ts';
import { keepGoing } from '../../work/keep-going.ts';
import { beginWaking, phoneWaker, type PhoneWaker, type Waking } from './wake-phone.ts';

type Needs = Pick<Context, 'acceptance' | 'clock' | 'log' | 'metrics' | 'notices' | 'offers' | 'push' | 'settings'>;

type Entry = {
  offer: Offer;
  delivery: Delivery;
  /** Machine time of the last try to show the offer. */
  shownAt: number;
  readonly waking: Waking;
  isShowing: boolean;
  /** A phone acknowledged the offer, even if that is not stored yet, or the courier read it over HTTP. */
  isSeen: boolean;
  isClosing: boolean;
};

/** The open offers of one region in its leader's memory. The stored ones are the truth, and `hold` reads them in. */
export type OpenOffers = {
  /** Takes the offers that are open now, each with its delivery, as they are stored, and forgets all others. */
  hold(offers: readonly { readonly offer: Offer; readonly delivery: Delivery }[]): void;
  /** Takes one more offer and shows it. */
  add(offer: Offer, delivery: Delivery): void;
  /** Forgets a closed offer, so that it is not shown again before the next `hold`. */
  drop(id: OfferId): void;
  /** Closes expired offers. Shows and pushes again those that no phone has acknowledged. */
  tick(): void;
  count(): number;
};

/**
 * Looks after open offers. Shows each to its courier again and again until a phone acknowledges it. Tries to wake a
 * silent phone, and closes the offer when it expires. Calls `onExpired` after each offer that it closed.
 */
export function watchOffers(ctx: Needs, onExpired: () => void): OpenOffers {
  const entries = new Map<OfferId, Entry>();
  const survive = keepGoing(ctx.log, 'open offers');
  const phones = phoneWaker(ctx);

  const show = async (entry: Entry): Promise<void> => {
    entry.shownAt = ctx.clock.real.elapsed();
    entry.isShowing = true;
    await survive(async () => {
      if (!(await ctx.notices.offerNew(entry.offer, entry.delivery))) return;
      entry.isSeen = true;
      const deliveredAt = ctx.clock.now();
      await ctx.offers.markDelivered(entry.offer.id, deliveredAt);
      entry.offer = { ...entry.offer, deliveredAt };
    });
    entry.isShowing = false;
  };

  const expire = async (entry: Entry): Promise<void> => {
    entry.isClosing = true;
    await survive(async () => {
      const isMine = await closeExpired(ctx, entry.offer);
      entries.delete(entry.offer.id);
      if (isMine) onExpired();
    });
    entry.isClosing = false;
  };

  const look = (entry: Entry): void => {
    const { offer, delivery, waking, isClosing, isShowing, shownAt } = entry;
    if (offer.expiresAt <= ctx.clock.now()) {
      if (!isClosing) void expire(entry);
    } else if (offer.deliveredAt === null) {
      const isDue = ctx.clock.real.elapsed() - shownAt >= ctx.settings.offers.ackRealMs;
      if (isDue && !isShowing) void show(entry);
      if (!entry.isSeen) phones.wake(offer, delivery, waking);
    }
  };

  const add = (offer: Offer, delivery: Delivery): void => {
    const known = entries.get(offer.id);
    if (known !== undefined) return refresh(known, offer, delivery);
    const entry = beginEntry(offer, delivery, ctx.clock.real.elapsed());
    entries.set(offer.id, entry);
    look(entry);
  };

  return {
    hold: (offers) => {
      const open = new Set(offers.map(({ offer }) => offer.id));
      for (const id of entries.keys()) if (!open.has(id)) forget(entries, phones, id);
      for (const { offer, delivery } of offers) add(offer, delivery);
    },
    add,
    drop: (id) => forget(entries, phones, id),
    tick: () => entries.forEach(look),
    count: () => entries.size,
  };
}

/** Takes over what has been stored since: an edit of the delivery, and that the courier has read the offer over HTTP. */
function refresh(entry: Entry, offer: Offer, delivery: Delivery): void {
  entry.delivery = delivery;
  // The offer may have been read before this process stored that a phone acknowledged it.
  if (offer.deliveredAt === null) return;
  entry.offer = offer;
  entry.isSeen = true;
}

/** Forgets an offer that was closed, and takes back its push. */
function forget(entries: Map<OfferId, Entry>, phones: PhoneWaker, id: OfferId): void {
  const entry = entries.get(id);
  entries.delete(id);
  if (entry !== undefined && !entry.isSeen) phones.takeBack(entry.offer, entry.waking);
}

function beginEntry(offer: Offer, delivery: Delivery, now: number): Entry {
  const waking = beginWaking(now);
  return { offer, delivery, shownAt: -Infinity, waking, isShowing: false, isSeen: false, isClosing: false };
}
