import { newId } from '../../../src/domain/ids.ts';
import type { IdKind } from '../../../src/http/path-ids.ts';

/** An id of each kind that no object has. */
export function absentId(kind: IdKind): string {
  return ABSENT[kind]?.() ?? 'nothing';
}

const ABSENT: { readonly [K in IdKind]?: () => string } = {
  delivery: () => newId('del'),
  courier: () => newId('cou'),
  key: () => newId('key'),
  session: () => newId('ses'),
  staff: () => newId('stf'),
  webhook: () => newId('whk'),
  event: () => newId('evt'),
  location: () => newId('loc'),
  zone: () => newId('zon'),
  vendor: () => newId('ven'),
  offer: () => newId('off'),
  device: () => newId('dev'),
  document: () => newId('doc'),
  ownDocument: () => newId('doc'),
  pricingRule: () => newId('prl'),
  payout: () => newId('pay'),
  topUp: () => newId('top'),
  suspense: () => newId('sus'),
  adjustment: () => newId('adj'),
  topUpRefund: () => newId('tur'),
  transaction: () => newId('txn'),
  invoice: () => newId('inv'),
  settlement: () => newId('stl'),
  dispute: () => newId('dsp'),
  stop: () => '1',
};
