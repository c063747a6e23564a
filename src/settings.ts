// one table: every setting, in one place
/* oxlint-disable max-lines */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** One setting: name by its place, unit in the name, default, range and reason. Read from the environment by `config.ts`. */
const int = (min: number, max: number, value: number, why: string) =>
  z.coerce.number().int().min(min).max(max).default(value).describe(why);
const real = (min: number, max: number, value: number, why: string) =>
  z.coerce.number().min(min).max(max).default(value).describe(why);
const text = (value: string, why: string) => z.string().min(1).default(value).describe(why);
/** Whether a text is a list of IP addresses and ranges, with commas; an empty one is. */
const areNetworks = (list: string): boolean =>
  list.trim() === '' || list.split(',').every((text) => ipaddr.isValid(text.trim()) || ipaddr.isValidCIDR(text.trim()));
/** Whether a text is an address to put paths after; an empty one is. */
const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null) return text === '';
  return /^https?:$/u.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
};
/** Its title is its heading in the settings reference. */
const group = <Shape extends z.ZodRawShape>(title: string, shape: Shape) => z.strictObject(shape).describe(title);

/** A day, ms. */
const DAY_MS = 86_400_000;

/** Every setting of the server, in groups. `ms` without "real" is service time. */
export const Settings = z.strictObject({
  http: group('HTTP', {
    port: int(0, 65535, 3000, 'TCP port; 0 takes a free one'),
    host: z
      .union([z.literal(''), z.ipv4(), z.ipv6()], {
        error: 'expected an IP address of this machine, or 0.0.0.0 for all',
      })
      .default('')
      .describe(
        'IP address to listen on; empty: all addresses in production, and 127.0.0.1 alone while the demo is on, since its accounts are for this machine',
      ),
    baseUrl: z
      .string()
      .refine(isBaseUrl, 'must be an http or https URL without a query, such as https://delivery.example')
      .transform((url) => url.replace(/\/+$/u, ''))
      .default('')
      .describe(
        'Address that callers and recipients use, and that tracking links begin with; empty: http://localhost and the port. Production needs it, with https',
      ),
    trustedProxies: z
      .string()
      .refine(areNetworks, 'must be IP addresses or ranges such as 10.0.0.0/8, with commas between them')
      .default('')
      .describe(
        'IP addresses or ranges, with commas, of the proxies before the server. X-Forwarded-For is believed from them alone; empty: the address of the connection counts',
      ),
    maxBodyBytes: int(1024, 10_485_760, 262_144, 'Largest JSON body, bytes: 256 KiB holds any create of ten drop-offs'),
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
      'A body that has not arrived by then counts as slow; less than HTTP_BODY_REAL_MS',
    ),
    bodiesPerAddress: int(
      1,
      10_000,
      32,
      'Slow bodies that may come from one address (of IPv6: 64 bits) at a time: couriers behind one carrier send small ones',
    ),
    idleRealMs: int(
      30_000,
      600_000,
      60_000,
      'A connection on which nothing has moved for this time is closed, machine time: an answer that its client does not read must not stay in memory. 60 s, longer than any answer takes',
    ),
    refusedBytes: int(
      1024,
      1_073_741_824,
      1_048_576,
      'Bodies of one credential and address that are refused at once, bytes together; each counts 1 KiB at least. After them a refusal waits. 1 MiB is four of the largest bodies, or a thousand small mistakes',
    ),
    refusedBytesPerS: int(
      1024,
      1_073_741_824,
      65_536,
      'How many of these bytes a second of machine time makes up for: 64 small bodies, or a large one in four seconds',
    ),
    refusedPauseRealMs: int(
      0,
      20_000,
      10_000,
      'Longest wait of such a refusal, machine time: 10 s, which most clients bear before they give up',
    ),
  }),
  clock: group('Service clock', {
    scale: real(0.1, 1000, 1, 'How many times faster service time runs; refused in production unless 1'),
  }),
  quotes: group('Quotes', {
    ttlMs: int(
      60_000,
      3_600_000,
      900_000,
      'How long a price is promised: 15 min as the delivery services with quotes do',
    ),
    currency: text('EUR', 'ISO 4217 code of vendors that name none'),
    baseFee: int(0, 1_000_000, 350, 'Fixed part of a fee, minor units'),
    perKmFee: int(0, 100_000, 90, 'Part of a fee per started tenth of a km, scaled to a km; minor units'),
    perKgFee: int(0, 100_000, 40, 'Part of a fee per started kg above freeKg, minor units'),
    freeKg: real(0, 1000, 5, 'Weight carried without a surcharge, kg'),
    expressFee: int(0, 1_000_000, 100, 'Part of a fee for an immediate delivery, minor units'),
    matchDistanceM: int(0, 10_000, 100, 'How far a place may lie from the quoted one, metres'),
  }),
  search: group('Search for a courier', {
    limitMs: int(
      180_000,
      3_600_000,
      900_000,
      'How long a courier is searched for, from when the search counts, when the vendor sets nothing: 15 min',
    ),
    leadMs: int(
      0,
      7_200_000,
      1_200_000,
      'How long before a named ready time a search starts: 20 min, so that the plan knows what is to come',
    ),
    countLeadMs: int(
      0,
      7_200_000,
      660_000,
      'How long before its goods are ready, as named or learned, a search counts for its limit, the alarm and the queue. It never counts before it starts. With 11 min, even the nearest courier is asked before the alarm',
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
      'Without a window a delivery is late this long after its order or its ready time: 60 min',
    ),
    maxDistanceM: int(1000, 500_000, 40_000, 'Longest route of one delivery, metres along streets'),
  }),
  preparation: group('Preparation of goods', {
    quantile: real(
      0.05,
      0.95,
      0.6,
      'Share of the goods that are ready by the estimate; couriers are asked to be there earlier by DISPATCH_READY_SPREAD_MS, so that more of them wait and fewer goods stand',
    ),
    memory: int(
      10,
      1000,
      60,
      'Pickups that a place and hour remember; older ones fade: about a week of a busy kitchen',
    ),
    leastSeen: int(1, 100, 8, 'Pickups with a known ready time before a place or hour is believed'),
    defaultMs: int(0, 7_200_000, 0, 'Preparation where nothing was learned: none, so that couriers set out at once'),
    mostDelays: int(0, 10, 2, 'How often a pickup may be put off'),
    mostDelayMs: int(0, 14_400_000, 3_600_000, 'By how much in all: 60 min'),
    withdrawFromMs: int(
      0,
      3_600_000,
      600_000,
      'A delay that leaves this long until the goods are ready takes open offers back: few who are asked are farther away',
    ),
  }),
  dispatch: group('Matching', {
    periodMs: int(1000, 60_000, 5000, 'Time between two runs of a region: couriers move 30 m in 5 s'),
    debounceMs: int(0, 10_000, 1000, 'How long a triggered run waits for more triggers'),
    leastRealGapMs: int(10, 5000, 100, 'Least machine time between two runs, whatever the clock scale'),
    candidates: int(
      1,
      128,
      32,
      'Couriers listed per delivery, of four times as many who are at its counter first; 16 were no better',
    ),
    scarceCandidates: int(1, 256, 64, 'The same when open deliveries exceed 0.7 of the couriers'),
    maxPickupDistanceM: int(500, 100_000, 20_000, 'Farthest courier asked, metres as the crow flies'),
    soonFreeMs: int(0, 7_200_000, 1_500_000, 'Couriers who will be free within this time are counted: 25 min'),
    plannedBundles: int(1, 8, 3, 'Bundles planned ahead for one courier; four were no better than three'),
    bundleSize: int(1, 10, 3, 'Deliveries in one bundle at most, whatever a courier may hold'),
    readyGapMs: int(0, 3_600_000, 600_000, 'Between the first and the last ready time in a bundle: 10 min'),
    readySpreadMs: int(
      0,
      3_600_000,
      600_000,
      'Possible error of a learned ready time. The server asks a courier to be there this much earlier. 15 min was not better than 10 min',
    ),
    overageWeight: real(0, 10, 0.3, 'Price of a second past the promise, beside the second itself'),
    tooLateAfterMs: int(0, 14_400_000, 3_000_000, 'So long past the promise a delivery is as good as failed: 50 min'),
    tooLateFineMs: int(0, 86_400_000, 12_000_000, 'Fine of a plan for such a delivery: 200 min of one delivery'),
    unservedMs: int(
      3_600_000,
      604_800_000,
      24_000_000,
      'Fine of a plan for a delivery that nobody carries: 400 min more than it costs to carry it',
    ),
    notFreeMs: int(0, 600_000, 12_000, 'Price of using a courier who is not free yet: 0.2 min, saves waiting and cost'),
    idleCreditMs: int(0, 300_000, 12_000, 'Advantage of a courier who has waited long over one who has not: fairness'),
    idleFullMs: int(60_000, 14_400_000, 3_600_000, 'Waiting time that earns all of it: 60 min'),
    coverageAheadMs: int(
      0,
      3_600_000,
      300_000,
      'How far ahead the price of using a courier up looks: 5 min; flat between 2 and 8; 0 turns it off',
    ),
    coverageSoonMs: int(60_000, 7_200_000, 1_200_000, 'Couriers free within this time cover the places around: 20 min'),
    mostRounds: int(0, 100_000, 4000, 'Rounds of the local search in a run at most; 16,000 bring no more'),
    roundsPerOrder: int(0, 10_000, 100, 'The same for each open delivery'),
    removedAtOnce: int(1, 20, 4, 'Deliveries that a round takes out of the plan at most'),
    kin: int(1, 100, 12, 'Deliveries like it that one is taken out together with'),
    searchRealMs: int(
      1,
      5000,
      50,
      'Machine time after which a run ends its local search; listing and assignment count too',
    ),
    answerMs: int(0, 300_000, 9000, 'Expected time from an offer to its accept, as measured on accepted offers'),
    refusalMs: int(
      0,
      600_000,
      25_000,
      'Expected cost of a decline: the time of an immediate offer. A scheduled offer may take longer',
    ),
    lastCallMs: int(
      0,
      3_600_000,
      240_000,
      'A search this close to its end goes before all others; eight refusals fit in',
    ),
    muchBetterMs: int(30_000, 3_600_000, 240_000, 'An offer is taken back for a courier who saves this: 4 min'),
    courierCapacity: int(
      1,
      10,
      1,
      'Deliveries that a courier may have at once. The matcher adds only deliveries from the pickup location that the courier is on the way to',
    ),
    regionResolution: int(
      4,
      6,
      5,
      'H3 resolution of a region: 5 is about 250 km², 4 seven times that, 6 a seventh; change it one process after the other',
    ),
    everybodyUpTo: int(
      100,
      20_000,
      2000,
      'Couriers present in a region and its neighbours up to which a run takes all of them; above, those near pickups',
    ),
    nearCouriers: int(
      32,
      2000,
      200,
      'Free couriers looked for around each pickup then: the 128 who are listed from, and some who turn out not to suit',
    ),
    mostCouriers: int(
      1000,
      50_000,
      3000,
      'Free couriers of a run that pickups share, 16 for each at least; four or five for each of 660 deliveries',
    ),
    mostPerRun: int(10, 20_000, 2000, 'Most deliveries of each mode that one run looks at, oldest first'),
  }),
  travel: group('Travel times', {
    routerUrl: z
      .union([z.literal(''), z.url({ protocol: /^https?$/ })])
      .default('')
      .describe('Address of a routing server, {profile} in it becomes its word for the vehicle; empty: there is none'),
    routerKind: z.enum(['osrm', 'valhalla']).default('osrm').describe('Protocol of that server'),
    routerBudgetRealMs: int(
      10,
      10_000,
      100,
      'Time for one table of 25 by 25 places; a later answer counts as none, since the next run will ask again',
    ),
    mostLegs: int(1000, 1_000_000, 100_000, 'Answers kept, some 20 MB: the candidates of ten regions for five minutes'),
    legLifeMs: int(10_000, 86_400_000, 300_000, 'How long an answer holds: 5 min, in which traffic changes little'),
  }),
  offers: group('Offers', {
    expressTtlMs: int(5000, 300_000, 25_000, 'How long a courier may think about an immediate delivery: 25 s'),
    scheduledTtlMs: int(5000, 600_000, 60_000, 'The same for a scheduled one: 60 s'),
    parallelAfterRefusals: int(1, 20, 3, 'After this many refusals the best three are asked at once'),
    parallelCount: int(2, 10, 3, 'How many are asked at once then'),
    ackRealMs: int(500, 30_000, 3000, 'Machine time a phone has to acknowledge an offer before it is sent again'),
  }),
  decisions: group('Decisions that are kept', {
    keepRealMs: int(
      3_600_000,
      2_592_000_000,
      259_200_000,
      'Machine time that decisions of the matcher and the inputs of its runs are kept: 72 h, a weekend until somebody asks why',
    ),
    bytesPerRealHour: int(
      0,
      10_737_418_240,
      134_217_728,
      'Compressed inputs and answers of runs that a process keeps in an hour, and as many of tentative decisions; beyond it what was offered alone: 19.4 GB in 72 h',
    ),
  }),
  retention: group('Retention', {
    quotesMs: int(
      DAY_MS,
      3650 * DAY_MS,
      7 * DAY_MS,
      'How long a quote is kept: 7 days, in which a vendor may ask about a price; a delivery keeps its own',
    ),
    claimsMs: int(
      60 * DAY_MS,
      3650 * DAY_MS,
      365 * DAY_MS,
      'How long an external id names one delivery, and a quote counts as used: a year. A retry comes within days, and a window may lie 30 days ahead',
    ),
    eventsMs: int(
      7 * DAY_MS,
      3650 * DAY_MS,
      90 * DAY_MS,
      'How long the events of a delivery are kept after it ended: 90 days, a usual time for complaints. The delivery stays, with its times and its ending',
    ),
    offersMs: int(
      DAY_MS,
      3650 * DAY_MS,
      30 * DAY_MS,
      'How long a closed offer is kept: 30 days, in which a courier may ask about it; events tell who carried a delivery',
    ),
    alarmsMs: int(
      DAY_MS,
      3650 * DAY_MS,
      30 * DAY_MS,
      'How long an alarm is kept after it was cleared: 30 days, in which operators look back at what went wrong',
    ),
    attemptsMs: int(
      DAY_MS,
      3650 * DAY_MS,
      30 * DAY_MS,
      'How long a webhook attempt is kept with its log after its last try: 30 days, in which a vendor looks for what went wrong',
    ),
  }),
  surge: group('Surge', {
    leastGapMs: int(
      1000,
      60_000,
      4000,
      'Between two counts of a region at least: every run of 5 s counts, those that a bell asks for in between do not',
    ),
    soonMs: int(
      0,
      3_600_000,
      600_000,
      'Goods that are ready and couriers who are free within this time are counted: 10 min, a usual way to a pickup',
    ),
    fadeMs: int(
      10_000,
      3_600_000,
      240_000,
      'Time constant of the average: 4 min, so that two orders at once move no price and a shortage is met in minutes',
    ),
    freshMs: int(
      5000,
      600_000,
      15_000,
      'How long a count holds before it fades: three runs, so that a lost one shows not',
    ),
    cap: real(1, 10, 2.5, 'Highest surge; 1 turns it off'),
  }),
  hints: group('Hints to idle couriers', {
    mostAtOnce: int(
      0,
      1000,
      20,
      'Couriers of a region and mode told in a minute where they will be needed; 0 tells nobody. On, since an app that ' +
        'does not know the message passes over it, and nobody is held to it',
    ),
    aheadMs: int(60_000, 3_600_000, 900_000, 'How far orders are expected, and how long a hint holds: 15 min'),
    leastIdleMs: int(0, 14_400_000, 300_000, 'Couriers idle for less are left alone: 5 min, most are asked by then'),
    gapMs: int(
      60_000,
      14_400_000,
      600_000,
      'Least time between two hints to one courier: 10 min, because they may stay where they are',
    ),
    mostDistanceM: int(
      500,
      50_000,
      5000,
      'Nobody is sent further, metres as the crow flies: a way of 17 min by scooter',
    ),
  }),
  presence: group('Presence', {
    leaseMs: int(5000, 300_000, 15_000, 'A courier not heard of for this long gets no offers: 15 s, four missed pings'),
    leastRealLeaseMs: int(500, 60_000, 2000, 'The same in machine time at least, when service time runs fast'),
    lostAfterMs: int(60_000, 3_600_000, 300_000, 'Contact lost this long frees an assigned delivery: 5 min'),
  }),
  positions: group('Positions', {
    tickRealMs: int(20, 5000, 100, 'Machine time between two writes of positions: 100 ms costs 1.5 of a raw relay'),
    mostPerCommand: int(50, 5000, 500, 'Couriers in one Redis command'),
    batchesPerSecond: int(1, 100, 2, 'Ping messages per second and courier, service time'),
    batchBurst: int(1, 1000, 10, 'Ping messages at once'),
    ackRealMs: int(1000, 60_000, 10_000, 'A reader that has not acknowledged a frame for this long is stale'),
  }),
  sockets: group('Sockets', {
    maxFrameBytes: int(1024, 1_048_576, 65_536, 'Largest frame from a client, bytes'),
    beaconRealMs: int(500, 60_000, 5000, 'Machine time between two beacons of newest sequence numbers'),
    drainRealMs: int(100, 60_000, 5000, 'Machine time in which sockets are closed when the server stops'),
    mostPerProcess: int(10, 1_000_000, 50_000, 'Connections one process takes'),
    credentialsRealMs: int(
      1000,
      300_000,
      15_000,
      'Machine time between two looks for connections whose session or key has ended: they close at once, and after this if that message was lost',
    ),
    strangersPerAddress: int(
      5,
      100_000,
      200,
      'Connections of one address that have not authenticated, and refused handshakes of the last minute, per process; those that have authenticated do not count, since many couriers share the address of a carrier',
    ),
    refusalsPerConnection: int(
      1,
      100,
      5,
      'Refused handshakes after which a connection is closed: one for each namespace, and one more',
    ),
    perCourier: int(
      1,
      100,
      2,
      'Connections of one courier on one process: the new one and the one it replaces; the oldest is closed above that',
    ),
    perStaff: int(1, 10_000, 20, 'Connections of one member of staff on one process: their tabs and screens'),
    perVendorKey: int(1, 100_000, 100, 'Connections with one vendor key on one process: the servers of a vendor'),
    perLink: int(1, 10_000, 50, 'Connections with one tracking link on one process: those it was passed on to'),
    mostUnreadBytes: int(
      65_536,
      67_108_864,
      1_048_576,
      'Bytes that a client may leave unread before its connection is closed: 1 MiB is some 500 events. The client reconnects and receives what it missed',
    ),
    replaysAtOnce: int(
      1,
      1000,
      32,
      'Reads of the past for connections that join or ask again, at once: a third of the connections to MongoDB',
    ),
  }),
  webhooks: group('Webhooks', {
    resolveRealMs: int(
      100,
      10_000,
      2000,
      'Time to resolve the name of a receiver; a name that is refused at registration is refused after exactly this time, so that it does not tell which names a private network has',
    ),
    connectRealMs: int(100, 30_000, 3000, 'Time to connect to a receiver, after its name is resolved'),
    totalRealMs: int(500, 60_000, 10_000, 'Time for a whole attempt'),
    leaseMs: int(
      5000,
      600_000,
      60_000,
      'How long a claimed attempt belongs to its sender; service time, at least twice the whole attempt',
    ),
    perProcess: int(
      1,
      1000,
      100,
      'Attempts in flight per process; receivers that are slow or were not tried yet have half of them together, and one vendor never more than it leaves free',
    ),
    perRegistration: int(1, 100, 10, 'Attempts in flight per registration and process'),
    registrations: int(1, 100, 20, 'Registrations per vendor and mode'),
    answerBytes: int(
      0,
      16_384,
      1024,
      'Bytes that are stored of each answer of a receiver: 1 KiB shows an error message, and 20 tries stay a small row',
    ),
  }),
  auth: group('Logging in', {
    accessTtlS: int(60, 86_400, 900, 'Life of an access token: 15 min'),
    refreshIdleS: int(3600, 31_536_000, 2_592_000, 'A refresh token not used this long is dead: 30 days'),
    refreshMostS: int(
      3600,
      31_536_000,
      7_776_000,
      'A session ends this long after its login, however often it is refreshed: 90 days, so that a stolen phone is not logged in for ever',
    ),
    mostSessions: int(
      1,
      1000,
      50,
      'Sessions of one courier or staff member; a login beyond them ends the oldest: more than the devices of a desk shared by three shifts',
    ),
    otpTtlS: int(60, 3600, 600, 'Life of a one-time code: 10 min'),
    otpTries: int(1, 20, 5, 'Wrong codes before a new one must be asked for'),
    pairTries: int(
      1,
      100,
      5,
      'Wrong logins to one account from one address before the next one must wait: 1 s, then twice as long each time',
    ),
    pairPaceS: int(60, 86_400, 900, 'The longest such wait: 15 min, so that 100 guesses a day are possible'),
    addressTries: int(
      5,
      10_000,
      50,
      'The same for all accounts from one address: a carrier puts many couriers behind one. Accounts that were logged in to from there are not counted',
    ),
    addressPaceS: int(1, 3600, 20, 'The longest wait of an address: 20 s, which the others behind it can bear'),
    accountTries: int(
      5,
      10_000,
      50,
      'The same for one account from all addresses from which nobody has logged in to it within 30 days',
    ),
    accountPaceS: int(
      1,
      3600,
      60,
      'The longest wait of such an account: 60 s, which its owner can bear at a new address',
    ),
    requestsPerAddress: int(
      1,
      100_000,
      2000,
      'Requests for one-time codes from one address at once, and again in each hour; test mode needs many and sends none',
    ),
    messagesPerPhone: int(
      1,
      100,
      4,
      'Messages with one-time codes to one phone at once, and again in each hour: enough for messages that are late or lost',
    ),
    messagesPerAddress: int(
      1,
      10_000,
      100,
      'Messages that requests from one address send at once, and again in each hour: the couriers of a town may be behind it',
    ),
  }),
  tracking: group('Tracking links', {
    afterEndMs: int(0, 259_200_000, 7_200_000, 'How long a link shows an ended delivery: 2 h'),
    mostMs: int(3_600_000, 2_592_000_000, 259_200_000, 'How long a link lives at most after creation: 72 h'),
  }),
  geofence: group('Arrivals and departures', {
    radiusM: int(10, 1000, 75, 'This near for dwellMs counts as arrived, metres'),
    dwellMs: int(0, 600_000, 30_000, 'Time inside the radius before arrival is taken for granted: 30 s'),
    departM: int(10, 5000, 100, 'This far from the pickup counts as departed, metres'),
    departAfterMs: int(0, 3_600_000, 60_000, 'Departed without a word after this time: 60 s'),
  }),
});

export type Settings = z.output<typeof Settings>;

/** All defaults, for tests and tools. */
export function defaultSettings(): Settings {
  const groups = Object.keys(Settings.shape).map((group) => [group, {}]);
  return Settings.parse(Object.fromEntries(groups));
}
