import { changesOf, type AuditAction } from '../domain/audit.ts';
import { withRule, type RuleBook, type RuleOwner } from '../domain/pricing/rule-book.ts';
import type { PricingRule, PricingRuleId } from '../domain/pricing/rules.ts';
import { Refusal, refuseField } from '../domain/refusals/refusals.ts';
import { isoTime } from '../domain/time.ts';
import { untilWritten } from '../domain/until-written.ts';
import type { Context } from '../ports/context.ts';
import { withFields } from './edit.ts';

type Needs = Pick<Context, 'ruleBooks' | 'vendors' | 'clock' | 'audit'>;

/** The fields of a rule that staff give. Times are service time in ms. */
export type RuleFacts = Pick<PricingRule, 'terms' | 'activeFrom' | 'activeTo'>;

/**
 * Adds a rule. It prices quotes and deliveries from then on, and leaves the prices that exist. Refuses
 * `vendor_not_found`, and `too_many_pricing_rules`.
 * @param id the id of the rule, the same for each try of a request
 */
export async function addPricingRule(
  ctx: Needs,
  owner: RuleOwner,
  { terms, activeFrom, activeTo }: Pick<RuleFacts, 'terms' | 'activeTo'> & { readonly activeFrom: number | null },
  id: PricingRuleId,
): Promise<PricingRule> {
  if (owner !== 'platform') await ctx.vendors.get(owner);
  const now = ctx.clock.now();
  const added: PricingRule = { id, terms, activeFrom: activeFrom ?? now, activeTo, createdAt: now };
  return editBook(ctx, owner, 'pricing_rule.add', id, ({ rules }) => {
    if (rules.some((rule) => rule.id === id)) return rules;
    refuseNoSpan(added);
    const next = withRule(rules, added, now);
    if (next === null) throw new Refusal('too_many_pricing_rules');
    return next;
  });
}

/** Changes the fields that are given. Refuses `pricing_rule_not_found`. */
export async function changePricingRule(
  ctx: Needs,
  owner: RuleOwner,
  id: PricingRuleId,
  changes: Partial<RuleFacts>,
): Promise<PricingRule> {
  return editBook(ctx, owner, 'pricing_rule.update', id, ({ rules }) => {
    const rule = ruleOf(rules, id);
    const changed = withFields(rule, changes);
    refuseNoSpan(changed);
    return changed === rule ? rules : rules.map((one) => (one === rule ? changed : one));
  });
}

/** Ends a rule now. A rule that has ended stays as it is, and one that has not begun never holds. */
export async function endPricingRule(ctx: Needs, owner: RuleOwner, id: PricingRuleId): Promise<PricingRule> {
  return editBook(ctx, owner, 'pricing_rule.end', id, ({ rules }) => {
    const { activeFrom, activeTo } = ruleOf(rules, id);
    const now = ctx.clock.now();
    if (activeTo !== null && activeTo <= now) return rules;
    const ended = { activeFrom: Math.min(activeFrom, now), activeTo: now };
    return rules.map((rule) => (rule.id === id ? { ...rule, ...ended } : rule));
  });
}

async function editBook(
  { ruleBooks, clock, audit }: Needs,
  owner: RuleOwner,
  action: AuditAction,
  id: PricingRuleId,
  edit: (book: RuleBook) => readonly PricingRule[],
): Promise<PricingRule> {
  return untilWritten(async () => {
    const before = await ruleBooks.find(owner);
    if (await audit.isEdited()) return ruleOf((await ruleBooks.find(owner)).rules, id);
    const rules = edit(before);
    const after = ruleOf(rules, id);
    if (rules === before.rules) return after;
    const known = before.rules.find((rule) => rule.id === id);
    const changes = changesOf(known === undefined ? null : toldOf(known), toldOf(after));
    const vendorId = owner === 'platform' ? null : owner;
    const entry = audit.draftEdit({ action, objectId: id, vendorId, liveMode: null, changes });
    const next = { id: owner, rules, version: before.version + 1, updatedAt: clock.now() };
    return (await ruleBooks.replace(next, before.version, entry)) ? after : null;
  });
}

function ruleOf(rules: readonly PricingRule[], id: PricingRuleId): PricingRule {
  const found = rules.find((rule) => rule.id === id);
  if (found === undefined) throw new Refusal('pricing_rule_not_found');
  return found;
}

function refuseNoSpan({ activeFrom, activeTo }: RuleFacts): void {
  if (activeTo === null || activeTo > activeFrom) return;
  throw refuseField('/active_to', 'out_of_range', `must be later than the start of the rule, ${isoTime(activeFrom)}`);
}

function toldOf({ terms, activeFrom, activeTo }: PricingRule) {
  return {
    terms: JSON.stringify(terms),
    active_from: isoTime(activeFrom),
    active_to: activeTo === null ? null : isoTime(activeTo),
  };
}
