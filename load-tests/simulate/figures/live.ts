// How soon live dispatch asks and answers, as the couriers' phones see it. Pure.
import type { Settings } from '../../../src/settings.ts';
import type { Decisions } from './decisions.ts';
import { spreadOf, type Spread } from '../../statistics.ts';
import type { Arrival } from '../people/tally.ts';
import type { TrueDelivery } from './truth.ts';

/** A figure beside its aim; `isWithin` is null when nothing was measured. Machine ms. */
export type Aimed = Spread & { readonly aimMs: number; readonly isWithin: boolean | null };

export type LiveFigures = {
  /** From the run that chose the courier to his phone. */
  readonly offerMs: Aimed;
  /** The last part of it: from the offer's making to the phone. */
  readonly offerFromMakingMs: Spread;
  /** Offers whose run is not in the log: timed from their making. */
  readonly offersWithoutRun: number;
  /** Couriers whom a run has asked and whose phone showed no offer of it: away, or it was too late. */
  readonly askedUnseen: number;
  /** From the order, or the begin of its search if that is later, to the first offer on a phone; a courier was due. */
  readonly firstOfferDueMs: Aimed;
  /**
   * What it would have been of every delivery, had a courier been due at the first look: from the order to the run that
   * looked first, and from its own first offer's run to the phone.
   */
  readonly firstOfferAsIfDueMs: Aimed;
  /** From the order to the first offer of all deliveries: most wait for their goods, since a courier is asked as late as these allow. */
  readonly firstOfferAllMs: Spread;
  /** Deliveries of which no phone ever showed an offer. */
  readonly neverOffered: number;
  /** Service ms to a machine ms. */
  readonly scale: number;
  /** The time between two runs, in service and in machine time. */
  readonly period: { readonly serviceMs: number; readonly machineMs: number };
  /** From the emit of a first `offer.accept` to its answer. */
  readonly acceptMs: Aimed;
  readonly acceptsCut: number;
};

export type LiveMaterial = {
  readonly truth: readonly TrueDelivery[];
  readonly arrivals: readonly Arrival[];
  readonly decisions: Decisions;
  readonly acceptMs: readonly number[];
  readonly acceptsCut: number;
  readonly settings: Pick<Settings, 'dispatch' | 'offers'>;
  readonly scale: number;
  /** When the search for a delivery begins; service time in ms. */
  readonly searchFrom: (delivery: TrueDelivery) => number;
};

/** The aims of the 95th percentile, machine ms; that of a first offer is this much past the period. */
const OFFER_AIM_MS = 500;
const FIRST_OFFER_AIM_MS = 1000;
const ACCEPT_AIM_MS = 150;

/** Verdicts that say that a courier was due; that an offer could not be opened is a delay of ours. */
const DUE: ReadonlySet<string> = new Set(['offered', 'not_opened']);

/**
 * Judges what the phones saw, in machine ms: spans of service time divided by the scale. The clock steps by whole machine
 * ms, so no span is finer than that. Aims are told, not enforced: machines differ.
 *
 * An offer is timed from the moment its run had read its inputs, the earliest that the log tells: what follows, deciding,
 * writing and showing, is all in. Where the log has no such run it is timed from the offer's making, and counted apart.
 *
 * A courier was due at once if the first run that looked at the delivery offered it, or was to. There are few such: a
 * courier is asked as late as the goods allow. The wait for them, or for a courier, is no delay of ours; what the server itself takes, until
 * it looks and from a run to the phone, can be told of every delivery.
 */
export function judgeLive(material: LiveMaterial): LiveFigures {
  const { settings, scale, acceptMs, acceptsCut } = material;
  const { periodMs, leastRealGapMs } = settings.dispatch;
  const period = { serviceMs: periodMs, machineMs: Math.max(periodMs / scale, leastRealGapMs) };
  const seen = withRuns(material);
  const withRun = seen.filter(({ runAt }) => runAt !== null).length;
  const asked = [...material.decisions.values()].flat().reduce((sum, one) => sum + one.asked.length, 0);
  const { due, asIfDue, all } = timeFirstOffers(material, seen);
  const inMs = (spans: readonly number[]): number[] => spans.map((span) => span / scale);
  const firstOfferAimMs = period.machineMs + FIRST_OFFER_AIM_MS;
  return {
    offerMs: aimed(inMs(seen.map(toPhone)), OFFER_AIM_MS),
    offerFromMakingMs: spreadOf(inMs(seen.map(({ arrivedAt, madeAt }) => arrivedAt - madeAt))),
    offersWithoutRun: seen.length - withRun,
    askedUnseen: asked - withRun,
    firstOfferDueMs: aimed(inMs(due), firstOfferAimMs),
    firstOfferAsIfDueMs: aimed(inMs(asIfDue), firstOfferAimMs),
    firstOfferAllMs: spreadOf(inMs(all)),
    neverOffered: material.truth.length - all.length,
    scale,
    period,
    acceptMs: aimed(acceptMs, ACCEPT_AIM_MS),
    acceptsCut,
  };
}

function aimed(values: readonly number[], aimMs: number): Aimed {
  const spread = spreadOf(values);
  return { ...spread, aimMs, isWithin: values.length === 0 ? null : spread.p95 <= aimMs };
}

/** An offer that a phone has shown, and the run that chose its courier; service time in ms. */
type Seen = Arrival & { readonly madeAt: number; readonly runAt: number | null };

/** Finds the run of each offer. Express deliveries only: the lifetime of their offers tells when one was made. */
function withRuns({ arrivals, decisions, settings }: LiveMaterial): Seen[] {
  const lastOf = new Map<string, number>();
  return arrivals
    .toSorted((a, b) => a.expiresAt - b.expiresAt)
    .map((arrival) => {
      const { deliveryId, courierId, expiresAt } = arrival;
      const madeAt = expiresAt - settings.offers.expressTtlMs;
      const pair = `${deliveryId} ${courierId}`;
      const since = lastOf.get(pair) ?? -Infinity;
      lastOf.set(pair, madeAt);
      // A run before the pair's last offer chose that one: this one's own run is then not in the log.
      const run = (decisions.get(deliveryId) ?? []).findLast(
        ({ at, asked }) => at <= madeAt && at > since && asked.includes(courierId),
      );
      return { ...arrival, madeAt, runAt: run?.at ?? null };
    });
}

/** Service ms from the run, or from the making where no run is known, to the phone. */
function toPhone({ arrivedAt, runAt, madeAt }: Seen): number {
  return arrivedAt - (runAt ?? madeAt);
}

/** Spans of service time in ms. */
function timeFirstOffers(
  { truth, decisions, searchFrom }: LiveMaterial,
  seen: readonly Seen[],
): { due: number[]; asIfDue: number[]; all: number[] } {
  const first = new Map<string, Seen>();
  for (const one of seen) {
    const known = first.get(one.deliveryId);
    if (known === undefined || one.arrivedAt < known.arrivedAt) first.set(one.deliveryId, one);
  }
  const [due, asIfDue, all]: [number[], number[], number[]] = [[], [], []];
  for (const delivery of truth) {
    const offer = first.get(delivery.deliveryId);
    if (offer === undefined) continue;
    const from = searchFrom(delivery);
    const looked = decisions.get(delivery.deliveryId)?.[0];
    all.push(offer.arrivedAt - from);
    if (looked !== undefined && DUE.has(looked.verdict)) due.push(offer.arrivedAt - from);
    if (looked !== undefined) asIfDue.push(looked.at - from + toPhone(offer));
  }
  return { due, asIfDue, all };
}
