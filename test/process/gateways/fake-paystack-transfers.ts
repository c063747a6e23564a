import type { Heard, Told } from './open-fake.ts';

type Transfer = {
  readonly transfer_code: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly recipient: string;
  readonly status: string;
  readonly createdAt: string;
};

const TYPES: Readonly<Record<string, string>> = { nuban: 'NGN', ghipss: 'GHS', kepss: 'KES', basa: 'ZAR' };
/** The codes of the banks that exist. */
const BANKS = ['044', '058'];
/** Money on the account at Paystack, minor units. */
const BALANCE = 1_000_000_000;

/**
 * The transfers of Paystack's API, with the fields of https://paystack.com/docs/api/transfer/ and
 * https://paystack.com/docs/api/transfer-recipient/, and the errors of https://docs-v2.paystack.com/api/errors/transfer.
 * They were never compared with the service itself.
 */
export function fakePaystackTransfers() {
  const recipients = new Map<string, string>();
  const transfers = new Map<string, Transfer>();
  const hidden = new Set<string>();
  let losesNext = false;
  const name = ({ body }: Heard): Told => {
    const { type, name: holder, account_number: number, bank_code: bank, currency } = JSON.parse(body);
    if (TYPES[type] !== currency || holder === '') return problem(400, 'Recipient type is invalid');
    if (!BANKS.includes(bank)) return problem(400, `Unknown bank code: ${bank}`);
    if (!/^\d{10}$/.test(number)) return problem(400, 'Account number is invalid');
    const code = recipients.get(number) ?? `RCP_${recipients.size + 1}`;
    recipients.set(number, code);
    return done(201, { recipient_code: code, type, currency, active: true });
  };
  const send = ({ body }: Heard): Told => {
    const { source, amount, currency, recipient, reference } = JSON.parse(body);
    if (!/^[a-z0-9_-]{16,50}$/.test(reference))
      return problem(400, 'Your reference contains illegal special characters');
    if (transfers.has(reference))
      return problem(400, 'Please provide a unique reference. Reference already exists on a transfer');
    if (source !== 'balance' || ![...recipients.values()].includes(recipient))
      return problem(400, 'Recipient specified is invalid');
    if (amount > BALANCE) return problem(400, 'Your balance is not enough to fulfill this request');
    const made = { reference, amount, currency, recipient, status: 'pending', createdAt: '2026-01-05T12:00:00.000Z' };
    transfers.set(reference, { transfer_code: `TRF_${transfers.size + 1}`, ...made });
    if (!losesNext) return done(200, shown(reference));
    losesNext = false;
    return problem(504, 'a fault of the fake');
  };
  const shown = (reference: string): object => ({ id: 1, domain: 'test', failures: null, ...transfers.get(reference) });
  /** A page of the list, the newest first. Not all documents of the service name the status, so it is ignored. */
  const list = ({ searchParams }: URL): Told => {
    const [from = '', to = '', size, page] = ['from', 'to', 'perPage', 'page'].map(
      (field) => searchParams.get(field) ?? '',
    );
    const found = [...transfers.values()]
      .filter((one) => one.createdAt >= from && one.createdAt <= to)
      .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    const skipped = Number(size) * (Number(page) - 1);
    return done(200, found.slice(skipped, skipped + Number(size)));
  };
  return {
    transfers,
    /** The references of transfers that are made and cannot be found yet. */
    hidden,
    /** Answers a request about transfers; null for any other. */
    answer: (heard: Heard): Told | null => {
      const { method, url } = heard;
      if (method === 'POST' && url.pathname === '/transferrecipient') return name(heard);
      if (method === 'POST' && url.pathname === '/transfer') return send(heard);
      if (method === 'GET' && url.pathname === '/transfer') return list(url);
      const [, reference] = /^\/transfer\/verify\/(.+)$/.exec(url.pathname) ?? [];
      if (reference === undefined) return null;
      return transfers.has(reference) && !hidden.has(reference)
        ? done(200, shown(reference))
        : problem(404, 'Transfer not found');
    },
    /** Changes what the API says about a transfer. */
    changeTransfer: (reference: string, fields: Partial<Transfer>): void => {
      const found = transfers.get(reference);
      if (found !== undefined) transfers.set(reference, { ...found, ...fields });
    },
    /** Makes the next transfer, and answers nothing that says so. */
    loseNextTransfer: (): void => {
      losesNext = true;
    },
  };
}

function done(status: number, data: object): Told {
  return { status, json: { status: true, message: 'Done', data } };
}

function problem(status: number, message: string): Told {
  return { status, json: { status: false, message } };
}
