import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DeliveryPush } from '../../domain/couriers/push.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { Context } from '../../ports/context.ts';
import { keepGoing } from '../../work/keep-going.ts';

type Needs = Pick<Context, 'clock' | 'log' | 'metrics' | 'notices' | 'offers' | 'push' | 'settings'>;

/** Machine time between two pushes for one offer. A woken phone needs some seconds to connect. */
const AGAIN_REAL_MS = 10_000;
/** Most pushes for one offer. If three do not wake a phone, a fourth will not. */
const MOST_PUSHES = 3;

/** The progress of waking the courier of one open offer; machine time in ms. */
export type Waking = { readonly sinceAt: number; pushedAt: number | null; pushes: number; isPushing: boolean };

/** The waking of an offer that was opened or found now. */
export function beginWaking(now: number): Waking {
  return { sinceAt: now, pushedAt: null, pushes: 0, isPushing: false };
}

/** Wakes phones with pushes. */
export type PhoneWaker = {
  /** Call it repeatedly for each open offer that no phone has acknowledged. */
  wake(offer: Offer, delivery: Delivery, waking: Waking): void;
  /** Takes back the push of an offer that is no longer open, if the offer was withdrawn. */
  takeBack(offer: Offer, waking: Waking): void;
};

export function phoneWaker(ctx: Needs): PhoneWaker {
  const survive = keepGoing(ctx.log, 'pushes');
  const noteOf = (
    type: DeliveryPush['type'],
    { id: offerId, courierId, deliveryId, expiresAt }: Offer,
  ): DeliveryPush => {
    const ttlRealMs = Math.ceil((expiresAt - ctx.clock.now()) / ctx.clock.scale);
    return { type, offerId, courierId, deliveryId, ttlRealMs };
  };
  const wake = async (offer: Offer, waking: Waking): Promise<void> => {
    waking.isPushing = true;
    let result = 'failed';
    await survive(async () => {
      await ctx.push.send(noteOf('offer', offer));
      result = 'sent';
    });
    ctx.metrics.count('offers_pushed_total', { result });
    waking.isPushing = false;
  };
  return {
    wake: (offer, delivery, waking) => {
      const now = ctx.clock.real.elapsed();
      // A robo-courier has no phone.
      if (delivery.robo !== null || !isDue(waking, now, ctx.settings.offers.ackRealMs)) return;
      waking.pushes += 1;
      waking.pushedAt = now;
      void wake(offer, waking);
    },
    takeBack: (offer, waking) => {
      if (waking.pushes === 0 || offer.expiresAt <= ctx.clock.now()) return;
      void survive(async () => {
        // A courier who answered over HTTP closed the offer too, and needs no push.
        if ((await ctx.offers.find(offer.id))?.state !== 'withdrawn') return;
        if (!(await ctx.notices.isConnected(offer.courierId))) await ctx.push.send(noteOf('offer_withdrawn', offer));
      });
    },
  };
}

function isDue({ sinceAt, pushedAt, pushes, isPushing }: Waking, now: number, ackRealMs: number): boolean {
  if (isPushing || pushes >= MOST_PUSHES) return false;
  return pushedAt === null ? now - sinceAt >= ackRealMs : now - pushedAt >= AGAIN_REAL_MS;
}
