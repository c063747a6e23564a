// How soon live dispatch asks couriers and answers them, as seen by their phones. Pure.
import type { Settings } from '../../../src/settings.ts';
import type { Decisions } from './decisions.ts';
import { spreadOf, type Spread } from '../../statistics.ts';
import type { Arrival } from '../people/tally.ts';
import type { TrueDelivery } from './truth.ts';

/** A figure beside its target, machine ms. `isWithin` is null if nothing was measured. */
export type Aimed = Spread & { readonly aimMs: number; readonly isWithin: boolean | null };

export type LiveFigures = {
  /** From the run that chose the courier to the courier's phone. */
  readonly offerMs: Aimed;
  /** The last part of this time: from the making of the offer to the phone. */
  readonly offerFromMakingMs: Spread;
  /** Offers whose run is not in the log, so that their time starts when they were made. */
  readonly offersWithoutRun: number;
  /** Couriers whom a run asked and whose phone never showed the offer, because they were offline or it was too late. */
  readonly askedUnseen: number;
  /** From the order, or from the later beginning of its search, to the first offer on a phone, if a courier was due. */
  readonly firstOfferDueMs: Aimed;
  /**
   * The same time as if a courier had always been due at the first look. It is the time from the order to the first
   * run, plus the time from the run of the first offer to the phone.
   */
  readonly firstOfferAsIfDueMs: Aimed;
  /**
   * From the order to the first offer of all deliveries. Most wait for their goods, because a courier is asked as late
   * as the goods allow.
   */
  readonly firstOfferAllMs: Spread;
  /** Deliveries for which no phone ever showed an offer. */
  readonly neverOffered: number;
  /** Service ms in a machine ms. */
  readonly scale: number;
  /** The time between two runs, in service time and machine time. */
  readonly period: { readonly serviceMs: number; readonly machineMs: number };
  /** From sending the first `offer.accept` to its answer. */
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

/** The targets of the 95th percentile, machine ms. The target of a first offer is the period and this much more. */
const OFFER_AIM_MS = 500;
const FIRST_OFFER_AIM_MS = 1000;
const ACCEPT_AIM_MS = 150;

/** Verdicts that mean that a courier was due. If an offer could not be opened, the delay is the server's. */
const DUE: ReadonlySet<string> = new Set(['offered', 'not_opened']);

/**
 * Judges the offers on the phones in machine ms, which are spans of service time divided by the scale. The clock steps
 * by whole machine ms, so no span is finer. Targets are reported but not enforced, because machines differ.
 *
 * The time of an offer starts when its run had read its inputs, the earliest moment in the log. So it includes
 * deciding, writing and showing. If the log has no such run, the time starts when the offer was made, and the offer is
 * counted apart.
 *
 * A courier was due at once if the first run that looked at the delivery offered it or tried to. This is rare, because
 * a courier is asked as late as the goods allow. The server does not cause the wait for goods or for a courier. Its own
 * part can be reported for every delivery: the time until it looks, and the time from a run to the phone.
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

/**
 * Finds the run of each offer. This works for express deliveries only, because the lifetime of their offers shows when
 * one was made.
 */
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
      // A run before the pair's last offer belongs to that offer. Then the run of this offer is not in the log.
      const run = (decisions.get(deliveryId) ?? []).findLast(
        ({ at, asked }) => at <= madeAt && at > since && asked.includes(courierId),
      );
      return { ...arrival, madeAt, runAt: run?.at ?? null };
    });
}

/** Service ms from the run to the phone, or from the making of the offer if the run is not known. */
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
