import type { Heard, Told } from './open-fake.ts';

type Transfer = {
  readonly id: number;
  readonly reference: string;
  /** Major units. */
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly complete_message: string;
  readonly requires_approval: number;
  readonly is_approved: number;
  readonly created_at: string;
};

/** The codes of the banks that exist. */
const BANKS = ['044', '058'];
/** Transfers of a page of the list, as many as in the examples of the service. */
const PER_PAGE = 10;

/**
 * The transfers of Flutterwave's API, version 3, with the fields of
 * https://developer.flutterwave.com/v3.0.0/reference/create-a-transfer and
 * https://github.com/Flutterwave/Node-v3/blob/master/documentation/transfers.md. They were never compared with the service
 * itself.
 */
export function fakeFlutterwaveTransfers() {
  const transfers = new Map<string, Transfer>();
  const hidden = new Set<string>();
  const send = ({ body }: Heard): Told => {
    const { account_bank: bank, account_number: number, amount, currency, reference } = JSON.parse(body);
    if (transfers.has(reference)) return problem('Transfer with this reference already exists. Use a unique reference');
    if (!BANKS.includes(bank) || !/^\d{10}$/.test(number))
      return problem('Invalid account_number or account_bank passed');
    if (typeof amount !== 'number' || amount <= 0) return problem('amount must be a number');
    const state = { status: 'NEW', complete_message: '', requires_approval: 0, is_approved: 1 };
    const made = { id: transfers.size + 1, reference, amount, currency, ...state };
    transfers.set(reference, { ...made, created_at: '2026-01-05T12:00:00.000Z' });
    return done('Transfer Queued Successfully', transfers.get(reference) ?? {});
  };
  /** A page of the list, the newest first. The dates count as whole days, and the status is ignored, as it may be written otherwise. */
  const list = ({ searchParams }: URL): Told => {
    const reference = searchParams.get('reference');
    const [from = '', to = ''] = ['from', 'to'].map((field) => searchParams.get(field) ?? '');
    const isWanted = ([sent, one]: [string, Transfer]): boolean =>
      reference === null
        ? one.created_at.slice(0, 10) >= from && one.created_at < to
        : sent === reference && !hidden.has(reference);
    const wanted = [...transfers].filter(isWanted).map(([, one]) => one);
    const found = wanted.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
    const page = Number(searchParams.get('page') ?? 1);
    const data = found.slice(PER_PAGE * (page - 1), PER_PAGE * page);
    const pageInfo = { total: found.length, current_page: page, total_pages: Math.ceil(found.length / PER_PAGE) };
    return done('Transfers fetched', data, { meta: { page_info: pageInfo } });
  };
  return {
    transfers,
    /** The references of transfers that are made and cannot be found yet. */
    hidden,
    /** Answers a request about transfers; null for any other. */
    answer: (heard: Heard): Told | null => {
      if (heard.url.pathname !== '/v3/transfers') return null;
      return heard.method === 'POST' ? send(heard) : list(heard.url);
    },
    /** Changes what the API says about a transfer. */
    changeTransfer: (reference: string, fields: Partial<Transfer>): void => {
      const found = transfers.get(reference);
      if (found !== undefined) transfers.set(reference, { ...found, ...fields });
    },
  };
}

function done(message: string, data: object, more: object = {}): Told {
  return { status: 200, json: { status: 'success', message, data, ...more } };
}

function problem(message: string): Told {
  return { status: 400, json: { status: 'error', message, data: null } };
}
