/** Registrations and attempts, as stored. */
import type { DomainEvent, EventType } from '../domain/deliveries/events.ts';
import type { AttemptId, EventId, RegistrationId, VendorId } from '../domain/ids.ts';
import type { Page, PageRequest } from './pages.ts';

/**
 * The order in which a registration gets the events of one delivery: any, or each after the success or the last failure
 * of the one before.
 */
export const ORDERINGS = ['best_effort', 'per_delivery'] as const;
export type Ordering = (typeof ORDERINGS)[number];

export type Registration = {
  readonly id: RegistrationId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly ordering: Ordering;
  readonly createdAt: number;
  /** When it was disabled, and why; null while it gets events. */
  readonly disabled: { readonly at: number; readonly reason: string } | null;
};

/** The signing secrets of a registration: its own, and the one before while that is valid. */
export type Secrets = readonly [string, ...string[]];

/** A registration as its vendor names it. In another account or mode it is absent. */
export type RegistrationOwner = {
  readonly id: RegistrationId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
};

/** The changed fields of a registration. */
export type RegistrationEdit = {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly description?: string | null;
  /** Concerns only attempts that are made later. */
  readonly ordering?: Ordering;
  readonly isEnabled?: boolean;
};

/** An attempt as its vendor sees it. `nextAt` is the time of the next try; null if it has ended. Service time in ms. */
export type SentAttempt = {
  readonly id: AttemptId;
  readonly eventId: EventId;
  /** The type of the event; null if it is no longer kept. */
  readonly type: EventType | null;
  readonly state: 'due' | 'done' | 'failed';
  /** Tries with a recorded result. */
  readonly number: number;
  readonly nextAt: number | null;
  readonly log: readonly AttemptOutcome[];
};

/** One event for one registration, until it is done: the due try, and the log of earlier tries. */
export type Attempt = {
  readonly id: AttemptId;
  readonly lease: AttemptLease;
  readonly eventId: EventId;
  /** The number of the due try, from 1. A try whose result was never recorded has no number of its own. */
  readonly number: number;
  readonly registration: Registration;
  /** Null if they cannot be decrypted, because they were stored with another key. */
  readonly secrets: Secrets | null;
  readonly event: DomainEvent;
};

/** A registration with a due attempt, and its vendor; null if the registration was removed. */
export type Waiting = { readonly registrationId: RegistrationId; readonly vendorId: VendorId | null };

/** How many attempts a claim leases at most, from `now` for at least this long; service time in ms. */
export type AttemptClaim = { readonly now: number; readonly leaseMs: number; readonly limit: number };

/** The key by which the store knows the attempt, and the claim that leased it. */
export type AttemptLease = { readonly key: string; readonly claim: string };

/** An attempt that ended without a try, and why. Its vendor is null if the registration was removed. */
export type EndedAttempt = Pick<Waiting, 'registrationId' | 'vendorId'> & {
  readonly id: AttemptId;
  readonly error: string;
};

/**
 * The result of a claim: the leased attempts to send, and the attempts that it ended because nothing can be sent. `isMore`
 * says that more attempts of the registration may be due now.
 */
export type Claimed = {
  readonly attempts: readonly Attempt[];
  readonly ended: readonly EndedAttempt[];
  readonly isMore: boolean;
};

export type AttemptOutcome = {
  readonly at: number;
  readonly status: number | null;
  readonly tookMs: number;
  readonly error: string | null;
  readonly response: string | null;
};

/** How many due events became how many attempts. */
export type FannedOut = { readonly events: number; readonly attempts: number };

export type WebhookStore = {
  /**
   * Adds a registration and returns it. If one with this id is stored, it stays, and is returned. Returns null if the
   * vendor has `most` in this mode, even if many are added at once.
   */
  register(registration: Omit<Registration, 'disabled'>, secret: string, most: number): Promise<Registration | null>;
  /** @param isEnabled lists only registrations that get events, or only disabled ones; null for all */
  list(
    vendorId: VendorId,
    liveMode: boolean,
    isEnabled: boolean | null,
    page: PageRequest,
  ): Promise<Page<Registration>>;
  find(of: RegistrationOwner): Promise<Registration | null>;
  /** The secrets that sign now; null if the registration is absent or they cannot be decrypted. */
  secretsOf(of: RegistrationOwner): Promise<Secrets | null>;
  /** Returns the changed registration, or null if it is absent. */
  change(of: RegistrationOwner, edit: RegistrationEdit): Promise<Registration | null>;
  /**
   * Sets a new secret. The one before also signs until the overlap has passed, ms of machine time. Refuses
   * `webhook_secret_overlap` while an earlier one does, unless the overlap is 0.
   */
  rotateSecret(of: RegistrationOwner, secret: string, overlapMs: number): Promise<Registration | null>;
  /** Removes it and gives its place free. Returns false if it is absent. Its attempts end without a further try. */
  remove(of: RegistrationOwner): Promise<boolean>;
  /** Stops sending to a registration at this URL. A disabled one stays as it is, and so does one that has another URL by now. */
  disable(of: Pick<Registration, 'id' | 'vendorId' | 'url'>, reason: string): Promise<void>;
  /** Makes one event due again, even after a success. Returns how many attempts became due; null for a foreign event. */
  replayEvent(registration: Registration, eventId: EventId): Promise<number | null>;
  /**
   * Makes events since then due that were never sent or have failed, oldest first. `nextSince` is where to go on.
   * @param since RFC 3339
   * @param limit the most events that are looked at
   */
  replaySince(
    registration: Registration,
    since: string,
    limit: number,
  ): Promise<{ readonly made: number; readonly nextSince: string | null }>;
  /** Attempts by event, newest first. */
  listAttempts(id: RegistrationId, state: SentAttempt['state'] | null, page: PageRequest): Promise<Page<SentAttempt>>;
  /** Says whether an event waits for its attempts. */
  isAnyEventDue(): Promise<boolean>;
  /** Turns up to `limit` due events into attempt rows, one per matching registration. It may run again. */
  fanOut(limit: number): Promise<FannedOut>;
  /** Says whether an attempt is due, or a failed claim of this process must be given back. `listWaiting` gives it back. */
  isAnyAttemptDue(now: number): Promise<boolean>;
  /** Registrations with a due attempt by id, after the id `after`. */
  listWaiting(now: number, limit: number, after: RegistrationId | null): Promise<readonly Waiting[]>;
  /**
   * Leases due attempts of a registration, longest due first. A claim that fails is given back before the next reading
   * or claim. The lease doubles with each claim without a recorded result. After ten such claims the attempt ends. An
   * attempt that must wait for an earlier event of its delivery is put off instead.
   */
  claimDue(registrationId: RegistrationId, claim: AttemptClaim): Promise<Claimed>;
  /**
   * Counts and logs a try. If `nextAt` is null, the attempt ends as done or failed. A failure changes nothing if
   * another claim has taken over the lease.
   * @returns whether another attempt of the registration became due because it had waited for the end of this one
   */
  record(lease: AttemptLease, outcome: AttemptOutcome, nextAt: number | null): Promise<boolean>;
};

export type WebhookStage = 'event' | 'attempt';

/** Members of the context that this file describes. */
export type WebhookPorts = {
  readonly webhooks: WebhookStore;
};
