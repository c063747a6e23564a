import { changesOf, type AuditActor } from '../../domain/audit.ts';
import type { BankAccount, BankDetails, NewBankAccount } from '../../domain/couriers/bank-account.ts';
import type { CourierId } from '../../domain/ids.ts';
import { untilWritten } from '../../domain/until-written.ts';
import type { Context } from '../../ports/context.ts';

type Needs = Pick<Context, 'audit' | 'bankAccounts' | 'clock' | 'couriers' | 'settings' | 'vault'>;

const SHOWN = -4;

/**
 * Sets the bank account of a courier. The first one is used at once. A change holds payouts back for a while, so that a
 * courier whose phone was stolen can still object. The same account again changes nothing.
 * @param by the actor in the audit log
 */
export async function setBankAccount(
  ctx: Needs,
  courierId: CourierId,
  asked: NewBankAccount,
  by: AuditActor,
): Promise<BankAccount> {
  const { liveMode } = await ctx.couriers.get(courierId);
  return untilWritten(async () => {
    const before = await ctx.bankAccounts.find(courierId);
    if (before !== null && isSame(ctx, before, asked)) return before;
    const now = ctx.clock.now();
    const { country, form, number } = asked.details;
    const after: BankAccount = {
      courierId,
      liveMode,
      currency: asked.currency,
      country,
      form,
      sealedDetails: ctx.vault.seal(JSON.stringify(asked.details)),
      last4: number.slice(SHOWN),
      usableAt: before === null ? now : now + ctx.settings.payouts.newAccountMs,
      updatedAt: now,
      version: (before?.version ?? 0) + 1,
    };
    const changes = changesOf(before === null ? null : toldOf(before), { ...toldOf(after), reason: asked.reason });
    const audited = { action: 'bank_account.set', objectId: courierId, vendorId: null, liveMode, changes } as const;
    return (await ctx.bankAccounts.put(after, ctx.audit.draft(audited, by))) ? after : null;
  });
}

/** The details of an account; null if they were encrypted with a key that the server no longer has. */
export function openDetails({ vault }: Pick<Context, 'vault'>, sealedDetails: string): BankDetails | null {
  const text = vault.open(sealedDetails);
  // The text is the one that this server has sealed, which the encryption proves.
  return text === null ? null : (JSON.parse(text) as BankDetails);
}

function isSame(ctx: Needs, { currency, sealedDetails }: BankAccount, asked: NewBankAccount): boolean {
  const known = openDetails(ctx, sealedDetails);
  const { holderName, country, form, number, bankCode } = asked.details;
  return (
    known !== null &&
    currency === asked.currency &&
    JSON.stringify([known.holderName, known.country, known.form, known.number, known.bankCode]) ===
      JSON.stringify([holderName, country, form, number, bankCode])
  );
}

/** What the audit log shows. It never has the number or the name. */
function toldOf({ currency, country, form, last4, version }: BankAccount) {
  return { currency, country, form, last4, version };
}
