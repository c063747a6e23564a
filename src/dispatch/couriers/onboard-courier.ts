import { standingIn, type Courier, type CourierState } from '../../domain/couriers/courier.ts';
import { newId, type CourierId } from '../../domain/ids.ts';
import { Refusal, refuseCaller } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Doer, OnboardCourier } from '../commands.ts';
import { withdrawOfferOf } from '../close-offer.ts';
import { auditedCourier, auditedStanding } from './audited-courier.ts';
import { changeOnce, type CourierNeeds } from './set-availability.ts';

/**
 * Starts onboarding with a pending profile, offline. Refuses `duplicate_courier` if the phone is known in this mode.
 */
export async function onboardCourier(
  ctx: Pick<Context, 'audit' | 'confirmed' | 'couriers' | 'clock' | 'settings'>,
  command: OnboardCourier,
  id: CourierId = newId('cou'),
): Promise<Courier> {
  const now = ctx.clock.now();
  const courier: Courier = {
    id,
    kind: 'courier',
    ...command,
    state: 'pending',
    availability: 'offline',
    version: 1,
    active: [],
    capacity: ctx.settings.dispatch.courierCapacity,
    createdAt: now,
    idleSinceAt: now,
  };
  const entry = ctx.audit.draft(auditedCourier('courier.onboard', courier, [null, { state: courier.state }]));
  if (await ctx.couriers.add(courier, entry)) return courier;
  const known = await ctx.confirmed.findCourierByPhone(command.phone, command.liveMode);
  // A failover took back the profile that had the phone, so the next try can have it.
  if (known === null) throw new Refusal('busy');
  // An earlier try of the same request has added the profile.
  if (known.id === id) return known;
  throw new Refusal('duplicate_courier', { metadata: { courier_id: known.id } });
}

type Needs = CourierNeeds & {
  readonly credentials: Pick<Context['credentials'], 'endSessionsOf'>;
};
type SetState = {
  readonly courierId: CourierId;
  readonly state: Exclude<CourierState, 'pending'>;
  /** Why, for the audit log. */
  readonly reason?: string | null;
};

/** The callers who decide about profiles. `system` is the server's own set-up. */
const REVIEWERS: readonly Doer['type'][] = ['staff', 'system'];

/**
 * Activates or suspends a profile. A suspended courier goes offline, loses the open offer and is logged out. They keep
 * their deliveries until staff reassign them. No document undoes that. Setting a state again finishes a change that a crash cut short.
 */
export async function setCourierState(
  ctx: Needs,
  { courierId, state, reason = null }: SetState,
  doer: Doer,
): Promise<Courier> {
  if (!REVIEWERS.includes(doer.type)) throw refuseCaller(doer.type, REVIEWERS);
  const after = await changeOnce(ctx, courierId, (before) => {
    if (before.state === state && before.suspendedFor === undefined) return null;
    const standing = standingIn(before, state);
    const entry = ctx.audit.draftEdit(auditedStanding(before, standing, reason));
    return () => ctx.couriers.setStanding(before, standing, entry);
  });
  if (after.state !== 'suspended') return after;
  await ctx.credentials.endSessionsOf({ courierId });
  await withdrawOfferOf(ctx, courierId, 'courier_offline');
  return after;
}
