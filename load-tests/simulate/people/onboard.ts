// The demo's staff onboards the couriers of the day.
import type { Courier } from '../../day/day.ts';
import { ServiceProblem } from '../../../packages/client/src/problems.ts';
import type { Api } from '../../clients/api.ts';
import type { Registered } from './courier.ts';
import type { Session } from '../../../packages/client/src/credentials.ts';

const AT_ONCE = 8;

/** Onboards and activates every courier in test mode, with unused phone numbers. */
export async function onboardAll(api: Api, staff: Session, couriers: readonly Courier[]): Promise<Registered[]> {
  const waiting = couriers.entries();
  const done: Registered[] = [];
  // Eight workers share one iterator.
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const [, courier] of waiting) done.push(await onboard(api, staff, courier));
  });
  await Promise.all(workers);
  return done;
}

async function onboard(api: Api, staff: Session, courier: Courier): Promise<Registered> {
  for (;;) {
    const phone = `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
    const body = { name: `Courier ${courier.id}`, phone, vehicle_type: 'scooter', live_mode: false };
    try {
      const { id } = await api.call<{ id: string }>('POST', '/couriers/onboard', { token: await staff.token(), body });
      await api.call('POST', `/couriers/${id}/activate`, { token: await staff.token() });
      return { courier, id, phone };
    } catch (error) {
      // The number is taken, perhaps by an earlier try whose answer was lost, so another one is used.
      if (!(error instanceof ServiceProblem) || error.code !== 'duplicate_courier') throw error;
    }
  }
}
