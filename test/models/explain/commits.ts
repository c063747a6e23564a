import { withEffects } from '../../../src/dispatch/change-delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aCourier, NOON } from '../../builders.ts';
import { aBirth, aChange, anAssignment, type House, withdrawing } from '../../engines/mongo-house.ts';

/** Runs commits that read and write in every possible way. */
export async function commitAll({ commit, couriers }: House): Promise<void> {
  const claims = [{ fact: 'fact:new', holder: newId('del') }];
  const birth = aBirth({}, claims);
  const courier = aCourier();
  await couriers.add(courier, null);
  await commit(birth);
  await commit(aBirth({}, claims));
  await commit(anAssignment(birth.after, courier));
  const { after } = anAssignment(birth.after, courier);
  await commit(aChange(after, { fee: 1 }));
  const end = aChange(aChange(after, { fee: 1 }).after, { state: 'canceled' }, 'canceled');
  const freeing = { kind: 'free_courier', courierId: courier.id, deliveryId: after.id, at: NOON } as const;
  await commit(withEffects(end, [freeing, withdrawing(after)]));
}
