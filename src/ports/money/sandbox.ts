/** The sandbox gateway: a party of its own that takes play money, with a store and a secret of its own. */
import type { Amount } from '../../money/amount.ts';
import type { Signer } from '../access.ts';
import type { Page, PageRequest } from '../pages.ts';

export const SANDBOX_STATUSES = ['open', 'paid', 'declined', 'expired'] as const;
export type SandboxStatus = (typeof SANDBOX_STATUSES)[number];

/** A payment at the sandbox. Times are service time in ms. */
export type SandboxPayment = {
  /** The reference that the sandbox was given. */
  readonly reference: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly returnUrl: string | null;
  readonly status: SandboxStatus;
  /** The money that was paid; null until then. */
  readonly paid: { readonly amount: Amount; readonly currency: string } | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When it was paid or declined. Absent before, and for one that was resolved by an earlier release. */
  readonly resolvedAt?: number;
  /** How many callbacks are still to be sent. */
  readonly notices: number;
};

/** The callbacks that a result causes: how many, and when the first one is due. */
export type Notices = { readonly count: number; readonly dueAt: number };

export type SandboxResult = Pick<SandboxPayment, 'status' | 'paid' | 'resolvedAt'>;

export type SandboxStore = {
  /** Adds a payment. If the reference is known, nothing changes, and the known payment is returned. */
  add(payment: SandboxPayment): Promise<{ readonly payment: SandboxPayment; readonly isNew: boolean }>;
  find(reference: string): Promise<SandboxPayment | null>;
  /** Paid payments that were made in a half-open span, the oldest first. */
  listPaid(span: { readonly from: number; readonly to: number }, page: PageRequest): Promise<Page<SandboxPayment>>;
  /** Gives an open payment its result. Returns false if it has one. */
  resolve(reference: string, result: SandboxResult, notices: Notices): Promise<boolean>;
  /** Payments with a callback that is due, longest due first. Each is due again later if the callback is not recorded. */
  claimNotices(limit: number): Promise<readonly SandboxPayment[]>;
  /**
   * Records that a callback of a payment, as it was claimed, was accepted.
   * @param nextAt when the next one is due; null if it was the last one
   */
  recordNotice(payment: SandboxPayment, nextAt: number | null): Promise<void>;
};

/** A transfer or a refund at the sandbox. `mode` names how it goes. `createdAt` is service time in ms. */
export type SandboxTransfer = {
  readonly reference: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly mode: string;
  /** The payment that it refunds; absent for a transfer. */
  readonly payment?: string;
  readonly createdAt: number;
};

export type SandboxTransferStore = {
  /** Adds a transfer. If the reference is known, nothing changes, and the known transfer is returned. */
  add(transfer: SandboxTransfer): Promise<{ readonly transfer: SandboxTransfer; readonly isNew: boolean }>;
  find(reference: string): Promise<SandboxTransfer | null>;
  /** Transfers that were made in a half-open span, the oldest first. */
  list(span: { readonly from: number; readonly to: number }, page: PageRequest): Promise<Page<SandboxTransfer>>;
};

export type SandboxPorts = {
  readonly sandboxTransfers: SandboxTransferStore;
  readonly sandbox: SandboxStore;
  /** Signs the callbacks of the sandbox, the links to its pages, and the credential of this server at the sandbox. */
  readonly sandboxSigner: Signer;
};
