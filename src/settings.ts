// one table: every setting, in one place
/* oxlint-disable max-lines */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** No setting and no vendor allows a longer way of a delivery, metres. */
export const LONGEST_WAY_M = 500_000;

/** One setting: its range, default and reason. Its place gives its name, and the name ends with the unit. */
const int = (min: number, max: number, value: number, why: string) =>
  z.coerce.number().int().min(min).max(max).default(value).describe(why);
const real = (min: number, max: number, value: number, why: string) =>
  z.coerce.number().min(min).max(max).default(value).describe(why);
const text = (value: string, why: string) => z.string().min(1).default(value).describe(why);
/** Says whether a text is a list of IP addresses and ranges, separated by commas. An empty list is valid. */
const areNetworks = (list: string): boolean =>
  list.trim() === '' || list.split(',').every((text) => ipaddr.isValid(text.trim()) || ipaddr.isValidCIDR(text.trim()));
/** Says whether a text is a URL to which paths can be added. An empty text is valid. */
const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null) return text === '';
  return /^https?:$/u.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
};
/** The address of the API of a payment gateway. */
const gatewayUrl = (gateway: string, url: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(url)
    .describe(`Address of the API of ${gateway}: its public one. Tests name another`);
/** A group of settings. Its title is its heading in the settings reference. */
const group = <Shape extends z.ZodRawShape>(title: string, shape: Shape) => z.strictObject(shape).describe(title);

/** A day, ms. */
const DAY_MS = 86_400_000;

/** Every setting of the server, in groups. `Ms` is service time, and `RealMs` is machine time. */
export const Settings = z.strictObject({
  http: group('HTTP', {
    port: int(0, 65535, 3000, 'TCP port; 0 takes any free port'),
    host: z
      .union([z.literal(''), z.ipv4(), z.ipv6()], {
        error: 'must be an IP address of this machine, or 0.0.0.0 for all of them',
      })
      .default('')
      .describe(
        'IP address to listen on. If it is empty, the server listens on all addresses in production. Elsewhere it listens on 127.0.0.1 alone, because the accounts of the demo are for this machine',
      ),
    baseUrl: z
      .string()
      .refine(isBaseUrl, 'must be an http or https URL without a query, such as https://delivery.example')
      .transform((url) => url.replace(/\/+$/u, ''))
      .default('')
      .describe(
        'Address that callers and recipients use; tracking links begin with it. If it is empty, it is http://localhost and the port. Production requires it, with https',
      ),
    trustedProxies: z
      .string()
      .refine(areNetworks, 'must be IP addresses or ranges such as 10.0.0.0/8, separated by commas')
      .default('')
      .describe(
        'IP addresses or ranges of the proxies in front of the server, separated by commas. The server believes X-Forwarded-For from them alone. If the list is empty, it uses the address of the connection',
      ),
    maxBodyBytes: int(
      1024,
      10_485_760,
      262_144,
      'Largest JSON body, bytes: 256 KiB is enough for any delivery of ten drop-offs',
    ),
    maxAuthBodyBytes: int(
      1024,
      65_536,
      4096,
      'Largest body of /auth/*, which anybody may send, bytes: a refresh token and its field need 1 KiB',
    ),
    headRealMs: int(
      1000,
      60_000,
      10_000,
      'Time in which the head of a request must arrive: a phone on a bad network needs a few seconds',
    ),
    bodyRealMs: int(1000, 120_000, 10_000, 'Time in which a JSON body must arrive: 256 KiB at 210 kbit/s'),
    slowBodyRealMs: int(
      50,
      10_000,
      500,
      'A body that has not arrived after this time counts as slow; must be less than HTTP_BODY_REAL_MS',
    ),
    bodiesPerAddress: int(
      1,
      10_000,
      32,
      'Slow bodies that one address may send at the same time (for IPv6, one /64 network). Many couriers may share the address of a carrier, but they send small bodies',
    ),
    uploadRealMs: int(
      1000,
      600_000,
      60_000,
      'Time in which a body with files must arrive: 10 MiB at 1.4 Mbit/s, as a phone on a weak network sends',
    ),
    idleRealMs: int(
      30_000,
      600_000,
      60_000,
      'The server closes a connection that has been idle this long, machine time, so that unread answers do not fill the memory. 60 s is longer than any answer takes',
    ),
    leaveRealMs: int(
      0,
      20_000,
      5000,
      'How long a server that stops still accepts requests if another server runs, machine time. `/readyz` answers 503 meanwhile, so that the balancer sends requests elsewhere before they fail: 5 s, two checks that are 2 s apart',
    ),
    refusedBytes: int(
      1024,
      1_073_741_824,
      1_048_576,
      'The server refuses bodies of one account and address at once until they add up to this many bytes; each body counts at least 1 KiB. Further refusals wait. 1 MiB is four of the largest bodies, or a thousand small mistakes',
    ),
    refusedBytesPerS: int(
      1024,
      1_073_741_824,
      65_536,
      'How much of that allowance returns each second of machine time, bytes: 64 small bodies, or one large body in four seconds',
    ),
    refusedPauseRealMs: int(
      0,
      20_000,
      10_000,
      'Longest wait before such a refusal, machine time: most clients wait 10 s before they give up',
    ),
  }),
  clock: group('Service clock', {
    scale: real(
      0.1,
      1000,
      1,
      'How many times faster than real time service time runs; production refuses any value but 1',
    ),
  }),
  quotes: group('Quotes', {
    ttlMs: int(
      60_000,
      3_600_000,
      900_000,
      'How long a quoted price is valid: 15 min, as with other delivery services that give quotes',
    ),
    currency: text('EUR', 'ISO 4217 code of vendors that name no currency'),
    baseFee: int(0, 1_000_000, 350, 'Fixed part of a fee, minor units'),
    perKmFee: int(0, 100_000, 90, 'Part of a fee for each km, minor units; each tenth of a km that is begun counts'),
    perKgFee: int(0, 100_000, 40, 'Part of a fee for each kg begun above QUOTES_FREE_KG, minor units'),
    freeKg: real(0, 1000, 5, 'Weight carried without a surcharge, kg'),
    expressFee: int(0, 1_000_000, 100, 'Part of a fee for an immediate delivery, minor units'),
    mostSurgeBp: int(
      10_000,
      100_000,
      10_000,
      'Highest factor by which demand raises a fee, basis points. 10000 raises none, so that a price is the same at all times unless the operator decides otherwise',
    ),
    matchDistanceM: int(0, 10_000, 100, 'How far a stop of the delivery may be from the quoted place, metres'),
  }),
  charges: group('Charges of deliveries', {
    soonMs: int(
      0,
      3_600_000,
      120_000,
      'How long after the assignment a cancel is free: 2 min, in which the courier has hardly left',
    ),
    assignedBp: int(
      0,
      10_000,
      2500,
      'Part of the fee for a cancel while the courier is on the way to the pickup, basis points: 25 %',
    ),
    atPickupBp: int(
      0,
      10_000,
      5000,
      'Part of the fee for a cancel while the courier is at the pickup, basis points: 50 %. Waiting is charged beside it',
    ),
    returnBp: int(
      0,
      10_000,
      6000,
      'Part of the fee for the way back to the pickup, basis points: 60 %, because the goods go where the courier may have other work',
    ),
    waitFreeMs: int(
      0,
      3_600_000,
      600_000,
      'How long a courier waits at the pickup without a charge: 10 min from the later of their arrival and the ready time',
    ),
    waitPerMinFee: int(
      0,
      100_000,
      20,
      'Charge for each minute of waiting that is begun, minor units: a courier on the way earns about as much',
    ),
    mostWaitMin: int(
      0,
      1440,
      30,
      'Most minutes of waiting that are charged. Later the courier can give the delivery back',
    ),
    courierLateMs: int(
      0,
      86_400_000,
      600_000,
      'How late a courier must be until a cancel with the reason `courier_late` is free: 10 min, as for a change of the courier',
    ),
  }),
  pay: group('Courier pay', {
    courierShareBp: int(
      0,
      10_000,
      8000,
      'Part of a fee without its tax that the courier earns, basis points: 80 %, which leaves 20 % for the platform',
    ),
    taxRateBp: int(
      0,
      10_000,
      0,
      'Tax that fees contain, basis points of the fee without tax: 1900 is 19 %. 0 means that fees contain no tax',
    ),
  }),
  refunds: group('Refunds', {
    windowMs: int(
      DAY_MS,
      730 * DAY_MS,
      365 * DAY_MS,
      'How long after the end of a delivery its charge can be refunded: a year, in which books are usually closed. It bounds the credit notes of a month, one for each month before',
    ),
  }),
  disputes: group('Disputes', {
    windowMs: int(
      DAY_MS,
      365 * DAY_MS,
      14 * DAY_MS,
      'How long after the end of a delivery its vendor can dispute the charge: two weeks, in which customers complain and couriers still remember',
    ),
    mostOpen: int(
      1,
      10_000,
      50,
      'Open disputes of one vendor in one mode: 50 are more than staff decide for one vendor in a day',
    ),
    mostPerDay: int(
      1,
      10_000,
      20,
      'Disputes that one vendor can raise in one mode within 24 hours: 20 leaves room for a bad day, and stops a program that disputes everything',
    ),
  }),
  payouts: group('Payouts to couriers', {
    minAmount: int(
      1,
      1_000_000_000,
      100,
      'Smallest payout, minor units: below one unit of most currencies, a transfer costs more than it pays',
    ),
    approvalAmount: int(
      0,
      1_000_000_000_000,
      100_000,
      'Largest payout that needs no second person, minor units: a thousand of most currencies, which few couriers earn in a day',
    ),
    approvalMs: int(
      3_600_000,
      90 * DAY_MS,
      7 * DAY_MS,
      'How long a payout waits for its second person before it is canceled: a week, so that a holiday does not cancel it',
    ),
    newAccountMs: int(
      0,
      30 * DAY_MS,
      DAY_MS,
      'How long no payout goes to a bank account that replaces another one: a day, in which a courier notices that somebody else has changed it',
    ),
  }),
  topUps: group('Top-ups', {
    mostAmount: int(
      100,
      1_000_000_000_000,
      100_000_000,
      'Largest top-up, minor units: a million of most currencies, so that a slip of a digit is noticed',
    ),
    mostPending: int(
      1,
      1000,
      50,
      'Pending top-ups of one vendor in one mode: 50 leaves room for payers who give up, and bounds what one account can store',
    ),
    checkoutMs: int(
      300_000,
      DAY_MS,
      1_800_000,
      'How long a payer has to pay, if the gateway sets no other time: 30 min, as long as most people leave a page open',
    ),
    firstLookMs: int(
      1000,
      DAY_MS,
      600_000,
      'If no callback has come after this time, the server asks the gateway by itself: 10 min, in which most people have paid',
    ),
    giveUpMs: int(
      3_600_000,
      30 * DAY_MS,
      3 * DAY_MS,
      'How long the server waits for a payment that the gateway says is on its way: 72 h, as long as gateways repeat their callbacks',
    ),
    afterExpiryMs: int(
      0,
      7 * DAY_MS,
      3 * DAY_MS,
      'How long the server still asks about a top-up that has expired, unless the gateway has closed its page: 72 h. A payment may have arrived in its last second, and its callback may be lost',
    ),
    requestRealMs: int(
      100,
      60_000,
      10_000,
      'Time in which a gateway must answer about a payment or a transfer, machine time: most answer within a second, and callers wait no longer than this',
    ),
    reconcileAfterMs: int(
      26 * 3_600_000,
      30 * DAY_MS,
      26 * 3_600_000,
      'How long after a date is over its payments and transfers are compared with the gateway: 26 h, because a page that was opened in its last minute may be paid a day later',
    ),
    preferredGateways: z
      .string()
      .regex(
        /^(sandbox|stripe|paystack|flutterwave)(,(sandbox|stripe|paystack|flutterwave))*$/,
        'must be names of payment gateways, separated by commas, such as paystack,stripe',
      )
      .default('sandbox,stripe,paystack,flutterwave')
      .describe(
        'The order in which the server prefers payment gateways, for payouts and for top-ups that name none. It takes the first one that is configured and serves the mode and the currency. Gateways that are not named come last',
      ),
    stripeUrl: gatewayUrl('Stripe', 'https://api.stripe.com'),
    paystackUrl: gatewayUrl('Paystack', 'https://api.paystack.co'),
    flutterwaveUrl: gatewayUrl('Flutterwave', 'https://api.flutterwave.com'),
  }),
  suspense: group('Money in suspense', {
    approvalAmount: int(
      0,
      1_000_000_000_000,
      100_000,
      'Largest amount about which one member of finance may decide, minor units: a thousand of most currencies, as for payouts',
    ),
    alertMs: int(
      3_600_000,
      30 * DAY_MS,
      DAY_MS,
      'How long money may be in suspense until the log has an error, and then again after the same time: a day, in which somebody of finance has worked',
    ),
  }),
  ledger: group('The ledger', {
    checkAfterMs: int(
      0,
      DAY_MS - 1,
      3 * 3_600_000,
      'How long after midnight UTC a server checks the whole ledger each day: 3 h, when few deliveries are open in Europe and Africa. The first check of a database begins at once',
    ),
  }),
  settlement: group('Settlements of vendors', {
    issueAfterMs: int(
      60_000,
      DAY_MS,
      600_000,
      'How long after its cut-off a period is settled: 10 min, in which all of its entries came into the chain of the ledger',
    ),
    minAmount: int(
      1,
      1_000_000_000,
      100,
      'Least amount that a settlement pays, minor units: less than one unit of most currencies is carried over to the next one',
    ),
    approvalAmount: int(
      0,
      1_000_000_000_000,
      10_000_000,
      'Largest settlement that nobody must approve, minor units: a hundred thousand of most currencies, which few vendors sell in a period',
    ),
    alertMs: int(
      3_600_000,
      30 * DAY_MS,
      DAY_MS,
      'How long a settlement may wait for its approval until the log has an error, and then again after the same time: a day, in which somebody of finance has worked',
    ),
  }),
  billing: group('Invoices', {
    sellerName: text(
      'Delivery Dispatch',
      'Name of the business that sells the deliveries, as invoices show it: a placeholder, so that a first invoice can be looked at',
    ),
    sellerAddress: z
      .string()
      .max(500)
      .default('')
      .describe(
        'Address of that business, empty by default, because only the operator knows it. A semicolon begins another line of it',
      ),
    sellerTaxId: z
      .string()
      .max(64)
      .default('')
      .describe('Tax number of that business. Empty for none, because many small ones have none'),
    issueAfterMs: int(
      600_000,
      30 * DAY_MS,
      3_600_000,
      'How long after the end of a month its invoice is issued: one hour. A charge that began to be booked in the month is stored long before',
    ),
  }),
  search: group('Search for a courier', {
    limitMs: int(
      180_000,
      3_600_000,
      900_000,
      'How long the server searches for a courier, from the time at which the search counts, if the vendor sets no limit: 15 min',
    ),
    leadMs: int(
      0,
      7_200_000,
      1_200_000,
      'How long before the ready time that the vendor names a search starts: 20 min, so that the plan can look ahead',
    ),
    countLeadMs: int(
      0,
      7_200_000,
      660_000,
      'A search counts for its limit, the alarm and the queue from this long before the goods are ready, by a named or learned time. It never counts before it starts. 11 min, so that the server offers the delivery to a courier nearby before the alarm',
    ),
    alarmAfterMs: int(
      60_000,
      3_600_000,
      600_000,
      'A search that has counted this long raises an operator alarm: 10 min',
    ),
    promiseMs: int(
      600_000,
      86_400_000,
      3_600_000,
      'A delivery without a window is late this long after its order or its ready time: 60 min',
    ),
    testExpiresAfterMs: int(
      0,
      86_400_000,
      3_600_000,
      'An open delivery of test mode ends by itself this long after its last event and its last window: 1 h, so that forgotten tests do not pile up. 0 turns this off, as simulations do',
    ),
    maxDistanceM: int(
      1000,
      LONGEST_WAY_M,
      40_000,
      'Longest way of one delivery along its stops, metres: straight lines times 1.35. So the limit is the same whether or not there is a routing server',
    ),
  }),
  preparation: group('Preparation of goods', {
    quantile: real(
      0.05,
      0.95,
      0.6,
      'Share of the goods that are ready by the estimated time. DISPATCH_READY_SPREAD_MS sends couriers earlier than that, so that couriers wait more often and goods less often',
    ),
    memory: int(
      10,
      1000,
      60,
      'Number of pickups from which a location and hour are learned; older pickups fade. 60 is about a week of a busy kitchen',
    ),
    leastSeen: int(
      1,
      100,
      8,
      'Pickups with a known ready time that a location or hour needs before the server uses its estimate',
    ),
    defaultMs: int(
      0,
      7_200_000,
      0,
      'Preparation time if nothing was learned yet: none, so that couriers set out at once',
    ),
    mostDelays: int(0, 10, 2, 'How often a vendor may delay a pickup'),
    mostDelayMs: int(0, 14_400_000, 3_600_000, 'Longest sum of all delays of a pickup: 60 min'),
    withdrawFromMs: int(
      0,
      3_600_000,
      600_000,
      'The server withdraws open offers if a delay leaves at least this long until the goods are ready: 10 min, because few couriers are further away than that',
    ),
  }),
  dispatch: group('Matching', {
    periodMs: int(1000, 60_000, 5000, 'Time between two runs of a region: couriers move 30 m in 5 s'),
    debounceMs: int(0, 10_000, 1000, 'How long a triggered run waits for more triggers'),
    leastRealGapMs: int(10, 5000, 100, 'Least machine time between two runs, at any clock scale'),
    candidates: int(
      1,
      128,
      32,
      'Couriers that the matcher lists for each delivery. It chooses them from four times as many, who can reach the pickup first; 16 were no better',
    ),
    scarceCandidates: int(1, 256, 64, 'The same number while open deliveries exceed 0.7 of the couriers'),
    maxPickupDistanceM: int(
      500,
      100_000,
      20_000,
      'The server offers a delivery only to couriers within this distance of the pickup, metres as the crow flies',
    ),
    soonFreeMs: int(0, 7_200_000, 1_500_000, 'The matcher counts couriers who will be free within this time: 25 min'),
    plannedBundles: int(
      1,
      8,
      3,
      'Bundles that the matcher plans ahead for one courier; four were no better than three',
    ),
    bundleSize: int(1, 10, 3, 'Deliveries in one bundle at most, even if a courier may carry more'),
    readyGapMs: int(0, 3_600_000, 600_000, 'Time between the first and the last ready time in a bundle: 10 min'),
    readySpreadMs: int(
      0,
      3_600_000,
      600_000,
      'Expected error of a learned ready time; couriers are sent this much earlier. 10 min, because 15 min are no better',
    ),
    overageWeight: real(0, 10, 0.3, 'Price of each second after the promised time, added to the second itself'),
    tooLateAfterMs: int(
      0,
      14_400_000,
      3_000_000,
      'A delivery this long after its promised time counts as failed for the matcher: 50 min',
    ),
    tooLateFineMs: int(0, 86_400_000, 12_000_000, 'Fine of a plan for such a delivery: 200 min of one delivery'),
    unservedMs: int(
      3_600_000,
      604_800_000,
      24_000_000,
      'Fine of a plan for a delivery without a courier: 400 min more than it costs to carry it',
    ),
    notFreeMs: int(
      0,
      600_000,
      12_000,
      'Price of using a courier who is not free yet: 0.2 min, which reduces both waiting and cost',
    ),
    idleCreditMs: int(
      0,
      300_000,
      12_000,
      'Advantage of a courier who has been idle for long over one who has not: fairness',
    ),
    idleFullMs: int(60_000, 14_400_000, 3_600_000, 'Idle time that earns the whole advantage: 60 min'),
    coverageAheadMs: int(
      0,
      3_600_000,
      300_000,
      'How far ahead the matcher prices the loss of a free courier: 5 min. 2 to 8 min give the same result, and 0 turns it off',
    ),
    coverageSoonMs: int(
      60_000,
      7_200_000,
      1_200_000,
      'Couriers who will be free within this time cover the places around them: 20 min',
    ),
    mostRounds: int(0, 100_000, 4000, 'Rounds of the local search in a run at most; 16,000 bring no improvement'),
    roundsPerOrder: int(0, 10_000, 100, 'Rounds of the local search for each open delivery'),
    removedAtOnce: int(1, 20, 4, 'Deliveries that a round takes out of the plan at most'),
    kin: int(1, 100, 12, 'Number of similar deliveries from which a round chooses those it takes out together'),
    searchRealMs: int(
      1,
      5000,
      50,
      'A run ends its local search after this machine time, which includes listing and assignment',
    ),
    answerMs: int(0, 300_000, 9000, 'Time that a courier takes to accept an offer, as measured on accepted offers'),
    refusalMs: int(
      0,
      600_000,
      25_000,
      'Time that a refusal costs: as long as an offer of an immediate delivery lasts. An offer of a scheduled delivery may take longer',
    ),
    lastCallMs: int(
      0,
      3_600_000,
      240_000,
      'A search that ends within this time has priority over all others: eight refusals fit into it',
    ),
    muchBetterMs: int(
      30_000,
      3_600_000,
      240_000,
      'The server withdraws an offer for a courier who saves this much: 4 min',
    ),
    courierCapacity: int(
      1,
      10,
      1,
      'Deliveries that a courier may carry at once; the matcher adds only deliveries from the pickup location to which the courier is on the way',
    ),
    regionResolution: int(
      4,
      6,
      5,
      'H3 resolution of a region: 5 is about 250 km², 4 is seven times as large, 6 a seventh. Change it in one process after the other',
    ),
    everybodyUpTo: int(
      100,
      20_000,
      2000,
      'A run considers every courier in a region and its neighbours up to this number. With more couriers it considers those near pickups',
    ),
    nearCouriers: int(
      32,
      2000,
      200,
      'Free couriers considered around each pickup in that case: the 128 from which candidates are listed, and some who turn out to be unsuitable',
    ),
    mostCouriers: int(
      1000,
      50_000,
      3000,
      'Free couriers that the pickups of a run share, but at least 16 for each pickup: four or five for each of 660 deliveries',
    ),
    mostPerRun: int(10, 20_000, 2000, 'Deliveries of each mode that one run considers at most, oldest first'),
  }),
  travel: group('Travel times', {
    routerUrl: z
      .union([z.literal(''), z.url({ protocol: /^https?$/ })])
      .default('')
      .describe(
        'Address of a routing server; {profile} stands for the name that it has for the vehicle. If it is empty, the server uses the Valhalla of STREETS_FILE, or none',
      ),
    routerKind: z.enum(['osrm', 'valhalla']).default('osrm').describe('Interface of the routing server'),
    tableBudgetRealMs: int(
      10,
      10_000,
      100,
      'Time in which the routing server must answer one table: of 25 by 25 places for a run, or of the stops of a quote. The run ignores a later answer, because the next run requests it again',
    ),
    routeBudgetRealMs: int(
      10,
      10_000,
      300,
      'Longest time for which a quote waits for the order of its drop-offs and the route along streets: 0.3 s, then it is priced by an estimate',
    ),
    routeMemoryMb: int(
      1,
      4096,
      32,
      'Memory for routes along streets that were found within an hour: about 35,000 routes',
    ),
    mostLegs: int(
      1000,
      1_000_000,
      100_000,
      'Answers of the routing server kept in memory, about 20 MB: the candidates of ten regions for five minutes',
    ),
    legLifeMs: int(
      10_000,
      86_400_000,
      300_000,
      'How long an answer of the routing server counts as new: 5 min, in which traffic changes little. Arrival times use an older one until the next comes',
    ),
  }),
  offers: group('Offers', {
    expressTtlMs: int(5000, 300_000, 25_000, 'How long a courier may consider an offer of an immediate delivery: 25 s'),
    scheduledTtlMs: int(5000, 600_000, 60_000, 'The same for a scheduled delivery: 60 s'),
    parallelAfterRefusals: int(
      1,
      20,
      3,
      'After this many refusals the server makes offers to several couriers at once',
    ),
    parallelCount: int(2, 10, 3, 'How many couriers then receive the offer at once'),
    ackRealMs: int(
      500,
      30_000,
      3000,
      'Machine time in which a phone must acknowledge an offer before the server sends it again',
    ),
  }),
  decisions: group('Decisions that are kept', {
    keepRealMs: int(
      3_600_000,
      2_592_000_000,
      259_200_000,
      'Machine time for which decisions of the matcher and the inputs of its runs are kept: 72 h, so that a question can wait over a weekend',
    ),
    bytesPerRealHour: int(
      0,
      10_737_418_240,
      134_217_728,
      'Bytes of compressed inputs and answers of runs that a process stores in an hour, and as many bytes of tentative decisions: at most 19.4 GB in 72 h. Beyond that it stores only decisions that led to offers',
    ),
  }),
  limits: group('Rate limits', {
    livePerS: int(
      1,
      1_000_000,
      100,
      'Requests a second of a vendor in live mode, with all their API keys together, or of one courier or member of staff; twice as many may come at once. 100 a second are 8 million a day',
    ),
    testPerS: int(
      1,
      1_000_000,
      25,
      'Requests a second of a vendor in test mode that change something, with all their API keys together; twice as many may come at once. That is enough to try an integration, and not to load the server',
    ),
    testReadsPerS: int(
      1,
      1_000_000,
      100,
      'GET requests a second of a vendor in test mode, with all their API keys together; twice as many may come at once. They cost little, and a client under development may poll',
    ),
    quotesPerS: int(
      1,
      1_000_000,
      50,
      'Quotes a second of one vendor and mode, or of one other caller; twice as many may come at once. A shop quotes while its customer types an address',
    ),
    locationsPerS: int(
      1,
      1000,
      2,
      'Reports of a position a second of one courier over HTTP. A phone has one fix a second, and a report may contain 50 of them',
    ),
    locationsBurst: int(1, 10_000, 10, 'Reports of a position of one courier that may come at once, after a tunnel'),
    webhookTestsPerMin: int(
      1,
      60_000_000,
      10,
      'Test calls of webhooks a minute of one vendor and mode, and as many at once. That is half of the test calls that a process makes at a time, so that slow receivers of one vendor leave places for others',
    ),
    invoicesPerMin: int(
      1,
      60_000_000,
      60,
      'Invoices and receipts a minute that one vendor and mode reads, and as many at once: each may be drawn, and all vendors share the printer of a process',
    ),
    payoutsPerMin: int(
      1,
      60_000_000,
      10,
      'Requests a minute of one member of finance that ask for payouts and refunds of top-ups, approve or end them, and as many at once: a person reads each one before',
    ),
    proofsPerHour: int(
      60,
      60_000_000,
      240,
      'Forms of proof an hour of one courier, and as many at once: 30 stops with eight forms each. Each form may store FILES_MAX_BYTES for FILES_ORPHAN_MS although it is refused, so this bounds what one courier can fill',
    ),
    linkPerMin: int(
      1,
      60_000_000,
      60,
      'Requests a minute for one tracking link, and as many at once. Its page uses a socket, and asks again only when the socket is closed',
    ),
  }),
  push: group('Pushes to phones', {
    fcmUrl: z.url().default('https://fcm.googleapis.com').describe('Address of Firebase Cloud Messaging, HTTP v1'),
    fcmTokenUrl: z
      .url()
      .default('https://oauth2.googleapis.com/token')
      .describe('Address that exchanges the signed request of the service account for an access token'),
    requestRealMs: int(
      500,
      30_000,
      3000,
      'Machine time in which a push service must answer one request: an offer is open for 25 s only',
    ),
    totalRealMs: int(
      500,
      60_000,
      9000,
      'Machine time for all tries of one push: the next push for the same offer comes after 10 s',
    ),
    mostWaiting: int(
      1,
      100_000,
      1000,
      'Pushes that may wait or be on their way in one process. One more is dropped, and the offer is pushed again later',
    ),
    mostAtOnce: int(1, 1000, 32, 'Pushes that one process sends at the same time'),
    changeTtlRealMs: int(
      60_000,
      86_400_000,
      3_600_000,
      'Machine time for which a push about a changed delivery waits at the push service for a phone without a network: later the app shows the news itself',
    ),
  }),
  retention: group('Retention', {
    devicesMs: int(
      DAY_MS,
      3650 * DAY_MS,
      270 * DAY_MS,
      'How long a device is kept after its app registered it last: 270 days, after which Firebase forgets its token as well',
    ),
    quotesMs: int(
      DAY_MS,
      3650 * DAY_MS,
      7 * DAY_MS,
      'How long a quote is kept: 7 days, in which a vendor may have questions about a price. A delivery keeps its own price',
    ),
    polylinesMs: int(
      40 * DAY_MS,
      3650 * DAY_MS,
      60 * DAY_MS,
      'How long the lines along streets of a delivery are kept after it was created: 60 days. A window is at most 30 days ahead, and pages draw only open deliveries',
    ),
    claimsMs: int(
      60 * DAY_MS,
      3650 * DAY_MS,
      365 * DAY_MS,
      'How long an external id names one delivery, and a quote counts as used: one year. A retry comes within days, and a window is at most 30 days ahead',
    ),
    eventsMs: int(
      7 * DAY_MS,
      3650 * DAY_MS,
      90 * DAY_MS,
      'How long the events and the recipients of an ended delivery are kept after its last change, such as its end or a refund: 90 days, a usual time for complaints. The delivery itself stays, with its times and its ending',
    ),
    offersMs: int(
      DAY_MS,
      3650 * DAY_MS,
      30 * DAY_MS,
      'How long a closed offer is kept: 30 days, in which a courier may have questions about it. The events of a delivery name its courier',
    ),
    alarmsMs: int(
      DAY_MS,
      3650 * DAY_MS,
      30 * DAY_MS,
      'How long an alarm is kept after it was cleared: 30 days, in which operators look back at what went wrong',
    ),
    topUpsMs: int(
      7 * DAY_MS,
      3650 * DAY_MS,
      90 * DAY_MS,
      'How long a top-up without a payment is kept after it ended, each payment and transfer of the sandbox, and money in suspense of test mode: 90 days. Paid top-ups are kept always',
    ),
    attemptsMs: int(
      DAY_MS,
      3650 * DAY_MS,
      30 * DAY_MS,
      'How long a webhook attempt and its log are kept after the last try: 30 days, in which a vendor looks for what went wrong',
    ),
    requestsMs: int(
      DAY_MS,
      30 * DAY_MS,
      3 * DAY_MS,
      'How long a request with an `Idempotency-Key` and its answer are kept: 72 h, so that a retry after a weekend still gets the same answer',
    ),
  }),
  files: group('Files', {
    maxBytes: int(
      1024,
      104_857_600,
      10_485_760,
      'Largest sum of the files of one request, bytes: 10 MiB is enough for a large photo or a scanned document',
    ),
    maxPixels: int(
      10_000,
      200_000_000,
      24_000_000,
      'Most pixels of an image: 24 million, which most cameras of phones give and which take 100 MB while decoded',
    ),
    uploadsAtOnce: int(
      1,
      1000,
      32,
      'Bodies with files that one process reads at the same time; each may take FILES_MAX_BYTES of memory. Further ones are refused with 503',
    ),
    linkRealMs: int(
      10_000,
      86_400_000,
      900_000,
      'How long a link to a file can be used: 15 min, in which a person opens it and nobody passes it on',
    ),
    orphanMs: int(60_000, 30 * DAY_MS, DAY_MS, 'How long a file is kept that was uploaded and never used: one day'),
    proofMs: int(
      DAY_MS,
      3650 * DAY_MS,
      180 * DAY_MS,
      'How long photos and signatures of a proof are kept: 180 days, in which complaints about a delivery arrive',
    ),
    documentMs: int(
      DAY_MS,
      3650 * DAY_MS,
      1826 * DAY_MS,
      'How long a courier document and its file are kept after it was rejected or has expired: 5 years, as many laws require for identity checks',
    ),
  }),
  documents: group('Documents', {
    warnMs: int(
      DAY_MS,
      365 * DAY_MS,
      30 * DAY_MS,
      'How long before a document of a courier expires the server warns them: 30 days, in which most offices renew a licence',
    ),
    mostPerDay: int(
      1,
      1000,
      20,
      'Documents that can be added for one courier within 24 hours: 20 leaves several tries for each type, and bounds what one account can store',
    ),
  }),
  surge: group('Surge', {
    leastGapMs: int(
      1000,
      60_000,
      4000,
      'Least time between two counts of a region. The regular runs, 5 s apart, all count; runs triggered in between do not',
    ),
    soonMs: int(
      0,
      3_600_000,
      600_000,
      'A count includes goods that are ready and couriers who are free within this time: 10 min, a usual way to a pickup',
    ),
    fadeMs: int(
      10_000,
      3_600_000,
      240_000,
      'Time constant of the average: 4 min, so that two orders at once change no price and a shortage has an effect within minutes',
    ),
    freshMs: int(
      5000,
      600_000,
      15_000,
      'How long a count is valid before it fades: three runs, so that one lost run has no effect',
    ),
    cap: real(1, 10, 2.5, 'Highest surge; 1 turns it off'),
  }),
  hints: group('Hints to idle couriers', {
    mostAtOnce: int(
      0,
      1000,
      20,
      'Couriers of a region and mode who receive a hint in one minute; 0 turns hints off. They are on by default, because apps that do not know the message ignore it and no courier has to follow it',
    ),
    aheadMs: int(60_000, 3_600_000, 900_000, 'How far ahead orders are expected, and how long a hint is valid: 15 min'),
    leastIdleMs: int(
      0,
      14_400_000,
      300_000,
      'Couriers who have been idle for less receive no hint: 5 min, because most receive an offer by then',
    ),
    gapMs: int(
      60_000,
      14_400_000,
      600_000,
      'Least time between two hints to one courier: 10 min, so that the courier may stay there',
    ),
    mostDistanceM: int(
      500,
      50_000,
      5000,
      'No hint names a place further away, metres as the crow flies: 17 min by scooter',
    ),
  }),
  presence: group('Presence', {
    leaseMs: int(
      5000,
      300_000,
      15_000,
      'A courier whose phone has sent nothing for this long receives no offers: 15 s, four missed pings',
    ),
    leastRealLeaseMs: int(
      500,
      60_000,
      2000,
      'Least length of that time in machine time, for a service clock that runs fast',
    ),
    lostAfterMs: int(
      60_000,
      3_600_000,
      300_000,
      'If the phone has sent nothing for this long, the server takes an assigned delivery from the courier: 5 min',
    ),
  }),
  positions: group('Positions', {
    tickRealMs: int(
      20,
      5000,
      100,
      'Machine time between two writes of positions: at 100 ms they cost 1.5 times as much as plain relaying',
    ),
    mostPerCommand: int(50, 5000, 500, 'Couriers in one Redis command at most'),
    batchesPerSecond: int(1, 100, 2, 'Ping messages per second and courier, service time'),
    batchBurst: int(1, 1000, 10, 'Ping messages that a courier may send at once'),
    ackRealMs: int(1000, 60_000, 10_000, 'A reader that has not acknowledged a frame for this long is stale'),
  }),
  sockets: group('Sockets', {
    maxFrameBytes: int(1024, 1_048_576, 65_536, 'Largest frame from a client, bytes'),
    beaconRealMs: int(500, 60_000, 5000, 'Machine time between two messages with the newest sequence numbers'),
    drainPerS: int(
      1,
      100_000,
      150,
      'Sockets that the server closes per second when it stops. Other servers need 1.4 ms of CPU for each new one, so 150 a second take a fifth of a core',
    ),
    drainRealMs: int(
      100,
      20_000,
      20_000,
      'Longest machine time for the closing of all sockets when a server stops. With many sockets the rate is higher. The process ends after 30 s in any case',
    ),
    mostPerProcess: int(10, 1_000_000, 50_000, 'Connections of one process at most'),
    credentialsRealMs: int(
      1000,
      300_000,
      15_000,
      'Machine time between two searches for connections whose session or key has ended. The server closes such connections at once, or after this time if the message about the end was lost',
    ),
    strangersPerAddress: int(
      5,
      100_000,
      200,
      'Connections of one address that have not authenticated, plus its refused handshakes of the last minute, per process. Authenticated connections do not count, because many couriers share the address of a carrier',
    ),
    refusalsPerConnection: int(
      1,
      100,
      5,
      'Refused handshakes after which the server closes a connection: one for each namespace, and one more',
    ),
    perCourier: int(
      1,
      100,
      2,
      'Connections of one courier to one process: the new one and the one that it replaces. Beyond that the server closes the oldest',
    ),
    perStaff: int(1, 10_000, 20, 'Connections of one member of staff to one process: their tabs and screens'),
    perVendor: int(
      1,
      100_000,
      100,
      'Connections of one vendor and mode to one process, with all API keys together: the servers of a vendor',
    ),
    perLink: int(
      1,
      10_000,
      50,
      'Connections with one tracking link to one process: everybody with whom the recipient shared it',
    ),
    mostUnreadBytes: int(
      65_536,
      67_108_864,
      1_048_576,
      'The server closes a connection whose client leaves more than this unread: 1 MiB, about 500 events. When the client connects again, it receives the events that it missed',
    ),
    replaysAtOnce: int(
      1,
      1000,
      32,
      'Reads of past events at the same time, for connections that join or resynchronise: a third of the connections to MongoDB',
    ),
  }),
  webhooks: group('Webhooks', {
    resolveRealMs: int(
      100,
      10_000,
      2000,
      'Time in which the name of a receiver must resolve. The server refuses a name after exactly this time, so that the answer does not reveal which names a private network has',
    ),
    connectRealMs: int(
      100,
      30_000,
      3000,
      'Time in which a connection to a receiver must open, after its name is resolved',
    ),
    totalRealMs: int(500, 60_000, 10_000, 'Time for a whole attempt'),
    leaseMs: int(
      5000,
      600_000,
      60_000,
      'How long a process owns an attempt that it has claimed; service time, at least twice the time for a whole attempt',
    ),
    perProcess: int(
      1,
      1000,
      100,
      'Attempts in flight per process. Receivers that are slow or were never tried have at most half of them together, and one vendor never more than it leaves free',
    ),
    perRegistration: int(1, 100, 10, 'Attempts in flight per registration and process'),
    registrations: int(1, 100, 20, 'Registrations per vendor and mode'),
    replayEvents: int(
      100,
      10_000,
      1000,
      'Most events that one replay of a webhook looks at; the caller continues with another one',
    ),
    replayMostMs: int(
      3_600_000,
      7_776_000_000,
      2_592_000_000,
      'How far back a replay of a webhook may start; service time, 30 days',
    ),
    answerBytes: int(
      0,
      16_384,
      1024,
      'How much of each answer of a receiver is kept, bytes: 1 KiB shows an error message, and the row of 20 tries stays small',
    ),
  }),
  auth: group('Logging in', {
    accessTtlS: int(60, 86_400, 900, 'Lifetime of an access token: 15 min'),
    refreshIdleS: int(3600, 31_536_000, 2_592_000, 'A refresh token expires if it is not used for this long: 30 days'),
    refreshMostS: int(
      3600,
      31_536_000,
      7_776_000,
      'A session ends this long after its login, however often it is refreshed: 90 days, so that a stolen phone does not stay logged in for ever',
    ),
    mostSessions: int(
      1,
      1000,
      50,
      'Sessions of one courier or member of staff; a further login ends the oldest one. 50 is more than three shifts need at a shared desk',
    ),
    mostKeys: int(1, 1000, 20, 'API keys of one vendor in one mode: enough for a key per server and its rotation'),
    keyOverlapMostH: int(0, 168, 168, 'Longest time for which a rotated API key stays valid, hours'),
    otpTtlS: int(60, 3600, 600, 'Lifetime of a one-time code: 10 min'),
    otpTries: int(
      1,
      20,
      5,
      'Wrong codes after which the courier must request a new one; those from addresses where the courier has logged in lately count apart',
    ),
    pairTries: int(
      1,
      100,
      5,
      'Wrong logins to one account from one address before the next login must wait: 1 s at first, then twice as long each time',
    ),
    pairPaceS: int(60, 86_400, 900, 'The longest such wait: 15 min, which allows 100 guesses a day'),
    addressTries: int(
      5,
      10_000,
      50,
      'Wrong logins to all accounts from one address before the next must wait; a carrier puts many couriers behind one address. Accounts with an earlier login from that address do not count',
    ),
    addressPaceS: int(
      1,
      3600,
      20,
      'The longest wait of an address: 20 s, which is acceptable for others behind the same address',
    ),
    accountTries: int(
      5,
      10_000,
      50,
      'Wrong logins to one account, from all addresses without a successful login to it in 30 days, before the next must wait',
    ),
    accountPaceS: int(
      1,
      3600,
      60,
      'The longest wait of such an account: 60 s, which is acceptable for its owner at a new address',
    ),
    loginsPerAccount: int(
      1,
      6000,
      60,
      'Correct logins to one account at once, and again in each minute. A person logs in once a shift, and automated tests perhaps before each test; a program that logs in without end would fill the database with sessions',
    ),
    requestsPerAddress: int(
      1,
      100_000,
      2000,
      'Requests for one-time codes from one address at once, and again in each hour; test mode makes many requests and sends no messages',
    ),
    messagesPerPhone: int(
      1,
      100,
      4,
      'Messages with one-time codes to one phone at once, and again in each hour: enough if messages are late or lost',
    ),
    messagesPerAddress: int(
      1,
      10_000,
      100,
      'Messages that requests from one address send at once, and again in each hour: the couriers of a town may share one address',
    ),
  }),
  tracking: group('Tracking links', {
    afterEndMs: int(0, 259_200_000, 7_200_000, 'How long a tracking link shows an ended delivery: 2 h'),
    mostMs: int(3_600_000, 2_592_000_000, 259_200_000, 'Longest lifetime of a tracking link after its creation: 72 h'),
  }),
  geofence: group('Arrivals and departures', {
    radiusM: int(
      10,
      1000,
      75,
      'A courier who stays within this distance of a stop for GEOFENCE_DWELL_MS has arrived, metres',
    ),
    dwellMs: int(0, 600_000, 30_000, 'Time within that distance after which the server records the arrival: 30 s'),
    departM: int(10, 5000, 100, 'A courier at this distance from the pickup has departed, metres'),
    departAfterMs: int(
      0,
      3_600_000,
      60_000,
      'Time after the collection at which the server records the departure, if nothing shows where the courier is: 60 s. While fresh fixes show them at the pickup, it is at least 5 min, unless a drop-off is next to the pickup',
    ),
  }),
});

export type Settings = z.output<typeof Settings>;

/** The default of every setting, for tests and tools. */
export function defaultSettings(): Settings {
  const groups = Object.keys(Settings.shape).map((group) => [group, {}]);
  return Settings.parse(Object.fromEntries(groups));
}
