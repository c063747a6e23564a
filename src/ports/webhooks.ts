/** Registrations and attempts, as stored. */
import type { DomainEvent } from '../domain/deliveries/events.ts';
import type { AttemptId, EventId, RegistrationId, VendorId } from '../domain/ids.ts';
import type { Page, PageRequest } from './pages.ts';

export type Registration = {
  readonly id: RegistrationId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly createdAt: number;
};

/** One event to one registration until it is through: the try that is due, and the log of those made. */
export type Attempt = {
  readonly id: AttemptId;
  readonly lease: AttemptLease;
  readonly eventId: EventId;
  /** Of the try that is due, from 1. A try whose result was never recorded has no number of its own. */
  readonly number: number;
  readonly registration: Registration;
  /** Null when it cannot be decrypted: it was stored with another key. */
  readonly secret: string | null;
  readonly event: DomainEvent;
};

/** A registration with something due, and whose it is; null when it was removed. */
export type Waiting = { readonly registrationId: RegistrationId; readonly vendorId: VendorId | null };

/** How many attempts are leased at most, from `now` for at least this long; service time in ms. */
export type AttemptClaim = { readonly now: number; readonly leaseMs: number; readonly limit: number };

/** By what the store knows the attempt, and the claim that leased it. */
export type AttemptLease = { readonly key: string; readonly claim: string };

/** An attempt that ended without a try, and why; its vendor is null when the registration was removed. */
export type EndedAttempt = Pick<Waiting, 'registrationId' | 'vendorId'> & {
  readonly id: AttemptId;
  readonly error: string;
};

/** What a claim gives: attempts to be sent, each leased, and those that it ended because nothing can be sent. */
export type Claimed = { readonly attempts: readonly Attempt[]; readonly ended: readonly EndedAttempt[] };

export type AttemptOutcome = {
  readonly at: number;
  readonly status: number | null;
  readonly tookMs: number;
  readonly error: string | null;
  readonly response: string | null;
};

export type WebhookStore = {
  /** Adds a registration; false when the vendor has `most` in this mode, however many are added at once. */
  register(registration: Registration, secret: string, most: number): Promise<boolean>;
  list(vendorId: VendorId, liveMode: boolean, page: PageRequest): Promise<Page<Registration>>;
  /** Turns up to `limit` due events into attempt rows, one per matching registration; may be run again. */
  fanOut(limit: number): Promise<number>;
  /** Registrations with an attempt that is due, by id, on from the id `after`. */
  listWaiting(now: number, limit: number, after: RegistrationId | null): Promise<readonly Waiting[]>;
  /**
   * Leases attempts of a registration that are due, those due longest first. A claim that fails is given back before the
   * next reading or claim. The lease doubles with each claim of which no result was recorded; after ten the attempt ends.
   */
  claimDue(registrationId: RegistrationId, claim: AttemptClaim): Promise<Claimed>;
  /**
   * Counts and logs a try; `nextAt` null ends the attempt as done or failed. A failure whose lease was taken over by
   * another claim changes nothing.
   */
  record(lease: AttemptLease, outcome: AttemptOutcome, nextAt: number | null): Promise<void>;
};

export type WebhookStage = 'event' | 'attempt';
