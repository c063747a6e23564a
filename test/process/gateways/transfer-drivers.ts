import type { BankDetails } from '../../../src/domain/couriers/bank-account.ts';
import { newId } from '../../../src/domain/ids.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { SANDBOX_TRANSFERS } from '../../../src/models/sandbox/sandbox-transfer-store.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { TransferOrder, TransferStatus } from '../../../src/money/payouts/transfer.ts';
import type { GatewayTransfers } from '../../../src/ports/money/gateways.ts';
import { createFlutterwaveGateway } from '../../../src/process/gateways/flutterwave-gateway.ts';
import { createPaystackGateway } from '../../../src/process/gateways/paystack-gateway.ts';
import { NOON } from '../../builders.ts';
import { openHouse } from '../../http/house.ts';
import { openFakeFlutterwave } from './fake-flutterwave.ts';
import { openFakePaystack } from './fake-paystack.ts';
import type { Fault } from './open-fake.ts';

/** A gateway that makes transfers, and the hands of its banks. */
export type TransferDriver = {
  readonly transfers: GatewayTransfers;
  readonly currency: string;
  /** The faults of its service; null if a test cannot cause them. */
  readonly faults: Fault[] | null;
  /** An account to which transfers come to this end, or are refused, or are made without an answer. */
  accountFor(end: TransferStatus | 'refused' | 'lost'): Partial<BankDetails>;
  /** Lets the gateway make the next transfer without an answer, unless the account says so. */
  loseNext?(): void;
  /** Lets a transfer come to this end, and gives it another age. */
  end(reference: string, status: TransferStatus, createdAt?: number): Promise<void>;
  /** How many transfers the service has made. */
  made(): Promise<number>;
  /** Makes a successful transfer for another program at this time. */
  makeForeign(createdAt: number): Promise<void>;
  /** The same, which the gateway lists in a way that it has not agreed to. Returns its name there. */
  makeOdd?(createdAt: number): string;
};

const common = { realMs: 2000, homeUrl: 'https://delivery.example' };
const [FOREIGN, ODD] = ['an-order-of-another-program', 'an-odd-order-of-it'];
const MINUTE_MS = 60_000;

/** An order of 1,234.57 in the currency of the gateway to an account that comes to this end. */
export function orderFor(driver: TransferDriver, end: Parameters<TransferDriver['accountFor']>[0]): TransferOrder {
  const to = { holderName: 'Ada Obi', country: 'NG', form: 'local', number: '0690000000', bankCode: '058' } as const;
  const money = { amount: amountOf(123_457), currency: driver.currency };
  return { reference: newId('pay'), ...money, to: { ...to, ...driver.accountFor(end) } };
}

/** A driver of each gateway that makes transfers. */
export const TRANSFER_DRIVERS = {
  sandbox: driveSandbox,
  paystack: drivePaystack,
  flutterwave: driveFlutterwave,
} as const;

async function driveSandbox(): Promise<TransferDriver> {
  const patient = <S extends { readonly topUps: object }>(settings: S): S => ({
    ...settings,
    topUps: { ...settings.topUps, requestRealMs: common.realMs },
  });
  const { ctx, mongo } = await openHouse('transfers of gateways', patient);
  const transfers = ctx.gateways.find(({ name }) => name === 'sandbox')?.transfers;
  if (transfers === undefined) throw new Error('the sandbox makes transfers');
  const modes = { success: '00', refused: '01', lost: '09', failed: '11', reversed: '12', needs_action: '13' };
  const rows = mongo.collection(SANDBOX_TRANSFERS);
  return {
    transfers,
    currency: 'EUR',
    faults: null,
    accountFor: (end) => ({ number: `06900000${{ ...modes, pending: '14' }[end]}` }),
    end: async (reference, status, createdAt) => {
      const age = status === 'reversed' ? MINUTE_MS + 1 : 0;
      await rows.updateOne({ _id: reference }, { $set: { createdAt: createdAt ?? ctx.clock.now() - age } });
    },
    made: () => rows.countDocuments(),
    makeForeign: async (createdAt) => {
      const money = { amount: amountOf(100), currency: 'EUR' };
      await ctx.sandboxTransfers.add({ reference: FOREIGN, ...money, mode: '00', createdAt });
    },
  };
}

async function drivePaystack(): Promise<TransferDriver> {
  const fake = await openFakePaystack();
  const { transfers } = createPaystackGateway({ ...common, key: 'sk_test_abcdefghijkl', url: fake.url });
  if (transfers === undefined) throw new Error('Paystack makes transfers');
  const statuses = {
    success: 'success',
    failed: 'failed',
    reversed: 'reversed',
    pending: 'pending',
    needs_action: 'otp',
  };
  return {
    transfers,
    currency: 'NGN',
    faults: fake.faults,
    accountFor: (end) => (end === 'refused' ? { bankCode: '999' } : {}),
    loseNext: fake.loseNextTransfer,
    end: async (reference, status, createdAt = NOON) =>
      fake.changeTransfer(reference, { status: statuses[status], createdAt: isoTime(createdAt) }),
    made: async () => fake.transfers.size,
    makeForeign: async (createdAt) => {
      const of = { reference: FOREIGN, amount: 100, currency: 'NGN', recipient: 'RCP_9', status: 'success' };
      fake.transfers.set(FOREIGN, { transfer_code: 'TRF_0', ...of, createdAt: isoTime(createdAt) });
    },
    makeOdd: (createdAt) => {
      const of = { reference: ODD, amount: 0.5, currency: 'NGN', recipient: 'RCP_9', status: 'success' };
      fake.transfers.set(ODD, { transfer_code: 'TRF_77', ...of, createdAt: isoTime(createdAt) });
      return 'TRF_77';
    },
  };
}

async function driveFlutterwave(): Promise<TransferDriver> {
  const fake = await openFakeFlutterwave();
  const [key, secretHash] = ['FLWSECK_TEST-abcdefghijkl', 'a-secret-hash-of-ours'];
  const { transfers } = createFlutterwaveGateway({ ...common, key, secretHash, url: fake.url });
  if (transfers === undefined) throw new Error('Flutterwave makes transfers');
  const approved = { requires_approval: 0, is_approved: 1 };
  const states = {
    success: { status: 'SUCCESSFUL', ...approved },
    failed: { status: 'FAILED', complete_message: 'DISBURSE FAILED: Account closed', ...approved },
    reversed: { status: 'FAILED', complete_message: 'Returned by the bank', ...approved },
    pending: { status: 'PENDING', ...approved },
    needs_action: { status: 'NEW', requires_approval: 1, is_approved: 0 },
  };
  return {
    transfers,
    currency: 'NGN',
    faults: fake.faults,
    accountFor: (end) => (end === 'refused' ? { bankCode: '999' } : {}),
    loseNext: () => fake.faults.push('lost'),
    end: async (reference, status, createdAt = NOON) =>
      fake.changeTransfer(reference, { ...states[status], created_at: isoTime(createdAt) }),
    made: async () => fake.transfers.size,
    makeForeign: async (createdAt) => {
      const of = { id: 99, reference: FOREIGN, amount: 1, currency: 'NGN', complete_message: '' };
      fake.transfers.set(FOREIGN, { ...of, ...states.success, created_at: isoTime(createdAt) });
    },
    makeOdd: (createdAt) => {
      const of = { id: 77, reference: ODD, amount: '1' as never, currency: 'NGN', complete_message: '' };
      fake.transfers.set(ODD, { ...of, ...states.success, created_at: isoTime(createdAt) });
      return '77';
    },
  };
}
