// `npm run docs` generates this file from the schemas of the server and overwrites all changes. // one table
import type { Page, Pages } from '../pages.ts';
import type { CallOptions } from '../transport.ts';
import type {
  Adjustment,
  ApiKey,
  BankAccount,
  CancelPreview,
  Charge,
  Courier,
  CourierDelivery,
  Delivery,
  DeliveryChanges,
  DeliveryProof,
  Dispute,
  Document,
  DocumentDetails,
  DocumentReview,
  DocumentReviewDetails,
  Earning,
  Event,
  Invoice,
  LiveLocation,
  NewDelivery,
  NewQuote,
  Payout,
  PayoutBatch,
  PricingRule,
  Proof,
  Quote,
  Reconciliation,
  Refund,
  Settlement,
  SettlementPayout,
  Staff,
  Subsidy,
  Suspense,
  TopUp,
  TopUpRefund,
  TrackingLink,
  Transaction,
  Vendor,
  VendorHours,
  VendorLocation,
  Webhook,
  Zone,
  CancelExpressDeliveryBody,
  PreviewCancelExpressDeliveryQuery,
  ListExpressDeliveriesQuery,
  OnboardCourierBody,
  ListCouriersQuery,
  UpdateCourierBody,
  ActivateCourierBody,
  SetCourierAvailabilityBody,
  ReportLocationBody,
  ReportLocationAnswer,
  AssignCourierBody,
  AssignCourierAnswer,
  ListCandidatesQuery,
  CandidatesItem,
  ListWaitingDeliveriesQuery,
  QueueEntry,
  ListDecisionsQuery,
  DispatchDecision,
  Alarm,
  ListCellsQuery,
  SurgeCell,
  ListCourierDeliveriesQuery,
  OffersItem,
  DeclineOfferBody,
  RegisterDeviceBody,
  Device,
  AddCourierDocumentBody,
  ListDocumentsForReviewQuery,
  DecideDocumentBody,
  ListEarningsQuery,
  SetBankAccountBody,
  GetWalletBalanceQuery,
  WalletBalance,
  FundWalletBody,
  ListTopUpsQuery,
  RefundTopUpBody,
  ListTopUpRefundsQuery,
  ResolveTopUpRefundBody,
  ListSuspenseQuery,
  DecideSuspenseBody,
  ApproveSuspenseBody,
  RequestAdjustmentBody,
  ListAdjustmentsQuery,
  DecideAdjustmentBody,
  ListReconciliationsQuery,
  ProcessPayoutsBody,
  ListPayoutsQuery,
  ResolvePayoutBody,
  ListTransactionsQuery,
  ListChargesQuery,
  ListInvoicesQuery,
  InvoicesItem,
  GetInvoiceQuery,
  ListSettlementsQuery,
  ListSettlementPayoutsQuery,
  RefundDeliveryBody,
  RaiseDisputeBody,
  ListDisputesQuery,
  ListDisputesForReviewQuery,
  DecideDisputeBody,
  ListDeliveriesQuery,
  ArriveAtStopBody,
  PickUpDeliveryBody,
  FailAtStopBody,
  ReleaseDeliveryBody,
  DeliveryStatus,
  DeliveryEventsItem,
  GetTrackingStateAnswer,
  AddStopProofBody,
  TestSteps,
  AdvanceTestBody,
  GetVendorProfileQuery,
  UpdateVendorProfileBody,
  SetVendorLogoBody,
  ListVendorHoursQuery,
  SetVendorHoursBody,
  SetLocationReadinessBody,
  CreateVendorLocationBody,
  UpdateVendorLocationBody,
  GetVendorCoverageQuery,
  Coverage,
  CreateLocationZoneBody,
  UpdateLocationZoneBody,
  CreateVendorBody,
  UpdateVendorBody,
  DispatchVendorOrderBody,
  GetSuccessRateQuery,
  SuccessRate,
  Timings,
  GetDeliveryCostsQuery,
  DeliveryCosts,
  ListRiderPerformanceQuery,
  RiderPerformance,
  ListRiderCommentsQuery,
  Rating,
  MarkDeliveryReadyBody,
  DelayPickupBody,
  ListPricingRulesQuery,
  SubsidizeQuoteBody,
  QuoteCalculation,
  CreatePricingRuleBody,
  UpdatePricingRuleBody,
  EndPricingRuleBody,
  ListApiKeysQuery,
  CreateApiKeyBody,
  RotateApiKeyBody,
  GetCourierMetricsQuery,
  CourierMetrics,
  RateDeliveryBody,
  RateByLinkAnswer,
  CreateWebhookBody,
  ListWebhooksQuery,
  UpdateWebhookBody,
  RotateWebhookSecretBody,
  WebhookTest,
  ListWebhookAttemptsQuery,
  WebhookAttempt,
  ReplayWebhookBody,
  WebhookReplay,
  ListEventsQuery,
  RequestOtpBody,
  OneTimeCode,
  CreateTokenBody,
  Token,
  Session,
  EndSessionsQuery,
  EndedSessions,
  AddStaffBody,
  ChangeStaffRolesBody,
  ResetStaffPasswordBody,
  ChangeOwnPasswordBody,
  ListAuditEntriesQuery,
  AuditEntry,
  GetHealthAnswer,
  GetReadinessAnswer,
} from './types.ts';

/** The request of each method. */
export const OPERATIONS = {
  express: {
    create: { route: 'POST /express/deliveries', body: 'json', keyed: true },
    createQuote: { route: 'POST /express/quotes', body: 'json', keyed: true },
    cancel: { route: 'POST /express/deliveries/{id}/cancel', body: 'json', keyed: true },
    previewCancel: { route: 'GET /express/deliveries/{id}/cancel-preview', query: true },
    get: { route: 'GET /express/deliveries/{id}' },
    list: { route: 'GET /express/deliveries', query: true, answer: 'pages' },
    getTrackingLink: { route: 'GET /express/deliveries/{id}/tracking-link' },
    getTracking: { route: 'GET /express/deliveries/{id}/tracking' },
    getProof: { route: 'GET /express/deliveries/{id}/proof' },
  },
  couriers: {
    onboard: { route: 'POST /couriers/onboard', body: 'json', keyed: true },
    get: { route: 'GET /couriers/{id}' },
    listCouriers: { route: 'GET /couriers', query: true, answer: 'pages' },
    update: { route: 'PATCH /couriers/{id}', body: 'json', keyed: true },
    activate: { route: 'POST /couriers/{id}/activate', body: 'json', keyed: true },
    suspend: { route: 'POST /couriers/{id}/suspend', body: 'json', keyed: true },
    setAvailability: { route: 'PATCH /couriers/{id}/status', body: 'json', keyed: true },
    reportLocation: { route: 'PUT /couriers/{id}/location', body: 'json' },
    listDeliveries: { route: 'GET /couriers/{id}/deliveries', query: true, answer: 'pages' },
    listOffers: { route: 'GET /couriers/{id}/offers', answer: 'page' },
    acceptOffer: { route: 'POST /couriers/{id}/offers/{offer_id}/accept', keyed: true },
    declineOffer: { route: 'POST /couriers/{id}/offers/{offer_id}/decline', body: 'json', answer: 'empty', keyed: true },
    registerDevice: { route: 'POST /couriers/{id}/devices', body: 'json', keyed: true },
    listDevices: { route: 'GET /couriers/{id}/devices', answer: 'page' },
    removeDevice: { route: 'DELETE /couriers/{id}/devices/{device_id}', answer: 'empty' },
    addDocument: { route: 'POST /couriers/{id}/documents', body: 'form', keyed: true },
    listDocuments: { route: 'GET /couriers/{id}/documents', query: true, answer: 'pages' },
    getDocument: { route: 'GET /couriers/{id}/documents/{document_id}' },
    listDocumentsForReview: { route: 'GET /kyc/documents', query: true, answer: 'pages' },
    getDocumentForReview: { route: 'GET /kyc/documents/{id}' },
    reviewDocument: { route: 'POST /kyc/documents/{id}/review', keyed: true },
    decideDocument: { route: 'POST /kyc/documents/{id}/decide', body: 'json', keyed: true },
    listEarnings: { route: 'GET /couriers/{id}/earnings', query: true, answer: 'pages' },
    setBankAccount: { route: 'PUT /couriers/{id}/bank-account', body: 'json' },
    getMetrics: { route: 'GET /couriers/{id}/metrics', query: true },
  },
  dispatch: {
    assignCourier: { route: 'POST /dispatch/assign', body: 'json', keyed: true },
    listCandidates: { route: 'GET /dispatch/candidates', query: true, answer: 'page' },
    listWaitingDeliveries: { route: 'GET /dispatch/queue', query: true, answer: 'pages' },
    listDecisions: { route: 'GET /dispatch/decisions/{id}', query: true, answer: 'pages' },
    listAlarms: { route: 'GET /dispatch/alarms', query: true, answer: 'pages' },
    listCells: { route: 'GET /dispatch/cells', query: true, answer: 'page' },
  },
  wallets: {
    getWalletBalance: { route: 'GET /wallets/balance', query: true },
    fundWallet: { route: 'POST /wallets/fund', body: 'json', keyed: true },
    listTopUps: { route: 'GET /wallets/top-ups', query: true, answer: 'pages' },
    getTopUp: { route: 'GET /wallets/top-ups/{id}' },
    refundTopUp: { route: 'POST /wallets/top-ups/{id}/refunds', body: 'json', keyed: true },
    listTopUpRefunds: { route: 'GET /wallets/refunds', query: true, answer: 'pages' },
    getTopUpRefund: { route: 'GET /wallets/refunds/{id}' },
    resolveTopUpRefund: { route: 'POST /wallets/refunds/{id}/resolve', body: 'json', keyed: true },
    listSuspense: { route: 'GET /wallets/suspense', query: true, answer: 'pages' },
    decideSuspense: { route: 'POST /wallets/suspense/{id}/decide', body: 'json', keyed: true },
    approveSuspense: { route: 'POST /wallets/suspense/{id}/approve', body: 'json', keyed: true },
    requestAdjustment: { route: 'POST /wallets/adjustments', body: 'json', keyed: true },
    listAdjustments: { route: 'GET /wallets/adjustments', query: true, answer: 'pages' },
    decideAdjustment: { route: 'POST /wallets/adjustments/{id}/decide', body: 'json', keyed: true },
    listReconciliations: { route: 'GET /wallets/reconciliations', query: true, answer: 'pages' },
    processPayouts: { route: 'POST /payouts/process', body: 'json', keyed: true },
    listPayouts: { route: 'GET /payouts', query: true, answer: 'pages' },
    approvePayout: { route: 'POST /payouts/{id}/approve', keyed: true },
    resolvePayout: { route: 'POST /payouts/{id}/resolve', body: 'json', keyed: true },
  },
  billing: {
    listTransactions: { route: 'GET /billing/transactions', query: true, answer: 'pages' },
    getTransaction: { route: 'GET /billing/transactions/{id}' },
    listCharges: { route: 'GET /vendor/settlement/charges', query: true, answer: 'pages' },
    listInvoices: { route: 'GET /billing/invoices', query: true, answer: 'pages' },
    getInvoice: { route: 'GET /billing/invoices/{id}', query: true },
    listSettlements: { route: 'GET /settlement/vendors', query: true, answer: 'pages' },
    getSettlement: { route: 'GET /settlement/vendors/{id}' },
    approveSettlement: { route: 'POST /settlement/vendors/{id}/approve', keyed: true },
    listSettlementPayouts: { route: 'GET /vendor/settlement/payouts', query: true, answer: 'pages' },
    refundDelivery: { route: 'POST /deliveries/{id}/refunds', body: 'json', keyed: true },
    listRefunds: { route: 'GET /deliveries/{id}/refunds', answer: 'page' },
    raiseDispute: { route: 'POST /vendor/disputes', body: 'json', keyed: true },
    listDisputes: { route: 'GET /vendor/disputes', query: true, answer: 'pages' },
    getDispute: { route: 'GET /vendor/disputes/{id}' },
    withdrawDispute: { route: 'POST /vendor/disputes/{id}/withdraw', keyed: true },
    listDisputesForReview: { route: 'GET /disputes', query: true, answer: 'pages' },
    getDisputeForReview: { route: 'GET /disputes/{id}' },
    reviewDispute: { route: 'POST /disputes/{id}/review', keyed: true },
    decideDispute: { route: 'POST /disputes/{id}/decide', body: 'json', keyed: true },
  },
  deliveries: {
    create: { route: 'POST /deliveries', body: 'json', keyed: true },
    update: { route: 'PATCH /deliveries/{id}', body: 'json', keyed: true },
    cancel: { route: 'POST /deliveries/{id}/cancel', body: 'json', keyed: true },
    previewCancel: { route: 'GET /deliveries/{id}/cancel-preview', query: true },
    get: { route: 'GET /deliveries/{id}' },
    list: { route: 'GET /deliveries', query: true, answer: 'pages' },
    arriveAtStop: { route: 'POST /deliveries/{id}/stops/{stop}/arrive', body: 'json', keyed: true },
    pickUp: { route: 'POST /deliveries/{id}/pick-up', body: 'json', keyed: true },
    departFromPickup: { route: 'POST /deliveries/{id}/depart', body: 'json', keyed: true },
    deliverAtStop: { route: 'POST /deliveries/{id}/stops/{stop}/deliver', body: 'json', keyed: true },
    failAtStop: { route: 'POST /deliveries/{id}/stops/{stop}/fail', body: 'json', keyed: true },
    release: { route: 'POST /deliveries/{id}/release', body: 'json', keyed: true },
    getProof: { route: 'GET /deliveries/{id}/proof' },
    addStopProof: { route: 'POST /deliveries/{id}/stops/{stop}/proof', body: 'form', keyed: true },
    listTestSteps: { route: 'GET /test/deliveries/{id}/advance' },
    advanceTest: { route: 'POST /test/deliveries/{id}/advance', body: 'json', keyed: true },
    rate: { route: 'POST /deliveries/{id}/rating', body: 'json', keyed: true },
  },
  tracking: {
    getStatus: { route: 'GET /deliveries/{id}/status' },
    listEvents: { route: 'GET /deliveries/{id}/history', query: true, answer: 'pages' },
    getUrl: { route: 'GET /deliveries/{id}/tracking-url' },
    getLiveLocation: { route: 'GET /deliveries/{id}/live-location' },
    getState: { route: 'GET /t/{token}/state' },
    rateByLink: { route: 'POST /t/{token}/rating', body: 'json', keyed: true },
  },
  vendor: {
    getProfile: { route: 'GET /vendor/profile', query: true },
    updateProfile: { route: 'PATCH /vendor/profile', body: 'json', keyed: true },
    setLogo: { route: 'POST /vendor/profile/logo', body: 'form', keyed: true },
    deleteLogo: { route: 'DELETE /vendor/profile/logo', query: true, answer: 'empty' },
    listHours: { route: 'GET /vendor/hours', query: true, answer: 'pages' },
    setHours: { route: 'PATCH /vendor/hours', body: 'json', keyed: true },
    listLocations: { route: 'GET /vendor/locations', query: true, answer: 'pages' },
    setLocationReadiness: { route: 'PATCH /vendor/locations/{id}/readiness', body: 'json', keyed: true },
    createLocation: { route: 'POST /vendor/locations', body: 'json', keyed: true },
    getLocation: { route: 'GET /vendor/locations/{id}' },
    updateLocation: { route: 'PATCH /vendor/locations/{id}', body: 'json', keyed: true },
    getCoverage: { route: 'GET /vendor/coverage', query: true, answer: 'pages' },
    createLocationZone: { route: 'POST /vendor/locations/{id}/zones', body: 'json', keyed: true },
    updateLocationZone: { route: 'PATCH /vendor/locations/{id}/zones/{zone_id}', body: 'json', keyed: true },
    deleteLocationZone: { route: 'DELETE /vendor/locations/{id}/zones/{zone_id}', answer: 'empty' },
    create: { route: 'POST /vendors', body: 'json', keyed: true },
    list: { route: 'GET /vendors', query: true, answer: 'pages' },
    get: { route: 'GET /vendors/{id}' },
    update: { route: 'PATCH /vendors/{id}', body: 'json', keyed: true },
    dispatchOrder: { route: 'POST /vendor/orders/{order_id}/dispatch', body: 'json', keyed: true },
    markDeliveryReady: { route: 'PATCH /vendor/deliveries/{id}/ready', body: 'json', keyed: true },
    delayPickup: { route: 'POST /vendor/deliveries/{id}/delay', body: 'json', keyed: true },
    listPricingRules: { route: 'GET /vendor/pricing-rules', query: true, answer: 'page' },
    subsidizeQuote: { route: 'POST /vendor/promotions/subsidy', body: 'json', keyed: true },
    preCalculateQuote: { route: 'POST /vendor/quotes/pre-calc', body: 'json', keyed: true },
    createPricingRule: { route: 'POST /vendor/pricing-rules', body: 'json', keyed: true },
    updatePricingRule: { route: 'PATCH /vendor/pricing-rules/{id}', body: 'json', keyed: true },
    endPricingRule: { route: 'POST /vendor/pricing-rules/{id}/end', body: 'json', keyed: true },
  },
  analytics: {
    getSuccessRate: { route: 'GET /vendor/analytics/success-rate', query: true },
    getTimings: { route: 'GET /vendor/analytics/timings', query: true },
    getDeliveryCosts: { route: 'GET /vendor/analytics/delivery-costs', query: true },
    listRiderPerformance: { route: 'GET /vendor/analytics/rider-performance', query: true, answer: 'pages' },
    listRiderComments: { route: 'GET /vendor/analytics/rider-performance/comments', query: true, answer: 'pages' },
  },
  access: {
    listApiKeys: { route: 'GET /vendor/api-keys', query: true, answer: 'pages' },
    createApiKey: { route: 'POST /vendor/api-keys', body: 'json', keyed: true },
    revokeApiKey: { route: 'DELETE /vendor/api-keys/{id}', answer: 'empty' },
    rotateApiKey: { route: 'POST /vendor/api-keys/{id}/rotate', body: 'json', keyed: true },
    addStaff: { route: 'POST /staff', body: 'json', keyed: true },
    listStaff: { route: 'GET /staff', query: true, answer: 'pages' },
    changeStaffRoles: { route: 'PATCH /staff/{id}', body: 'json', keyed: true },
    resetStaffPassword: { route: 'POST /staff/{id}/reset', body: 'json', keyed: true },
    removeStaff: { route: 'DELETE /staff/{id}', answer: 'empty' },
    endStaffSessions: { route: 'POST /staff/{id}/end-sessions', keyed: true },
    endCourierSessions: { route: 'POST /couriers/{id}/end-sessions', keyed: true },
    changeOwnPassword: { route: 'POST /staff/me/password', body: 'json', answer: 'empty', keyed: true },
    listAuditEntries: { route: 'GET /audit', query: true, answer: 'pages' },
  },
  webhooks: {
    create: { route: 'POST /webhooks', body: 'json', keyed: true },
    list: { route: 'GET /webhooks', query: true, answer: 'pages' },
    get: { route: 'GET /webhooks/{id}' },
    update: { route: 'PATCH /webhooks/{id}', body: 'json', keyed: true },
    remove: { route: 'DELETE /webhooks/{id}', answer: 'empty' },
    rotateSecret: { route: 'POST /webhooks/{id}/rotate-secret', body: 'json', keyed: true },
    test: { route: 'POST /webhooks/{id}/test', keyed: true },
    listAttempts: { route: 'GET /webhooks/{id}/attempts', query: true, answer: 'pages' },
    replay: { route: 'POST /webhooks/{id}/replay', body: 'json', keyed: true },
    listEvents: { route: 'GET /events', query: true, answer: 'pages' },
    getEvent: { route: 'GET /events/{id}' },
  },
  auth: {
    requestOtp: { route: 'POST /auth/otp', body: 'json' },
    createToken: { route: 'POST /auth/token', body: 'json' },
    logOut: { route: 'POST /auth/logout', answer: 'empty' },
    listSessions: { route: 'GET /auth/sessions', answer: 'page' },
    endSession: { route: 'DELETE /auth/sessions/{id}', answer: 'empty' },
    endSessions: { route: 'DELETE /auth/sessions', query: true },
  },
  service: {
    getHealth: { route: 'GET /healthz' },
    getReadiness: { route: 'GET /readyz' },
  },
} as const;

/** The methods of the client, by section. */
export type Operations = {
  readonly express: {
    /**
     * Create a delivery with a pickup and one or more drop-offs.
     * `POST /express/deliveries`
     */
    readonly create: (body: NewDelivery, options?: CallOptions) => Promise<Delivery>;
    /**
     * Quote the price of a delivery without creating it.
     * `POST /express/quotes`
     */
    readonly createQuote: (body: NewQuote, options?: CallOptions) => Promise<Quote>;
    /**
     * Cancel a delivery that has not ended.
     * `POST /express/deliveries/{id}/cancel`
     */
    readonly cancel: (id: string, body?: CancelExpressDeliveryBody, options?: CallOptions) => Promise<Delivery>;
    /**
     * Read the terms of a cancel before making it.
     * `GET /express/deliveries/{id}/cancel-preview`
     */
    readonly previewCancel: (id: string, query?: PreviewCancelExpressDeliveryQuery, options?: CallOptions) => Promise<CancelPreview>;
    /**
     * Read a delivery with its state and expected arrival.
     * `GET /express/deliveries/{id}`
     */
    readonly get: (id: string, options?: CallOptions) => Promise<Delivery>;
    /**
     * List the deliveries made through the express paths, newest first.
     * `GET /express/deliveries`
     */
    readonly list: (query?: ListExpressDeliveriesQuery, options?: CallOptions) => Pages<Delivery>;
    /**
     * Get the tracking links of the recipients, one for each drop-off.
     * `GET /express/deliveries/{id}/tracking-link`
     */
    readonly getTrackingLink: (id: string, options?: CallOptions) => Promise<TrackingLink>;
    /**
     * Read the location of the courier and the expected arrival.
     * `GET /express/deliveries/{id}/tracking`
     */
    readonly getTracking: (id: string, options?: CallOptions) => Promise<LiveLocation>;
    /**
     * Read the proof of a delivery.
     * `GET /express/deliveries/{id}/proof`
     */
    readonly getProof: (id: string, options?: CallOptions) => Promise<DeliveryProof>;
  };
  readonly couriers: {
    /**
     * Onboard a courier with a pending profile.
     * `POST /couriers/onboard`
     */
    readonly onboard: (body: OnboardCourierBody, options?: CallOptions) => Promise<Courier>;
    /**
     * Read a courier.
     * `GET /couriers/{id}`
     */
    readonly get: (id: string, options?: CallOptions) => Promise<Courier>;
    /**
     * List and search couriers, newest first.
     * `GET /couriers`
     */
    readonly listCouriers: (query?: ListCouriersQuery, options?: CallOptions) => Pages<Courier>;
    /**
     * Change the profile of a courier; supports If-Match.
     * `PATCH /couriers/{id}`
     */
    readonly update: (id: string, body?: UpdateCourierBody, options?: CallOptions) => Promise<Courier>;
    /**
     * Activate a courier.
     * `POST /couriers/{id}/activate`
     */
    readonly activate: (id: string, body?: ActivateCourierBody, options?: CallOptions) => Promise<Courier>;
    /**
     * Suspend a courier.
     * `POST /couriers/{id}/suspend`
     */
    readonly suspend: (id: string, body?: ActivateCourierBody, options?: CallOptions) => Promise<Courier>;
    /**
     * Go online or offline; only online couriers receive offers.
     * `PATCH /couriers/{id}/status`
     */
    readonly setAvailability: (id: string, body: SetCourierAvailabilityBody, options?: CallOptions) => Promise<Courier>;
    /**
     * Report one position with named fields, or up to 50 as tuples.
     * `PUT /couriers/{id}/location`
     */
    readonly reportLocation: (id: string, body: ReportLocationBody, options?: CallOptions) => Promise<ReportLocationAnswer>;
    /**
     * List the deliveries that a courier has or ended, newest first.
     * `GET /couriers/{id}/deliveries`
     */
    readonly listDeliveries: (id: string, query?: ListCourierDeliveriesQuery, options?: CallOptions) => Pages<Delivery | CourierDelivery>;
    /**
     * List the open offers of a courier; if the courier reads them, they count as shown.
     * `GET /couriers/{id}/offers`
     */
    readonly listOffers: (id: string, options?: CallOptions) => Promise<Page<OffersItem>>;
    /**
     * Accept an offer, which assigns the delivery to the courier.
     * `POST /couriers/{id}/offers/{offer_id}/accept`
     */
    readonly acceptOffer: (id: string, offerId: string, options?: CallOptions) => Promise<CourierDelivery>;
    /**
     * Decline an offer; the courier gets no offer for this delivery for an hour.
     * `POST /couriers/{id}/offers/{offer_id}/decline`
     */
    readonly declineOffer: (id: string, offerId: string, body?: DeclineOfferBody, options?: CallOptions) => Promise<void>;
    /**
     * Register the phone of a courier for pushes.
     * `POST /couriers/{id}/devices`
     */
    readonly registerDevice: (id: string, body: RegisterDeviceBody, options?: CallOptions) => Promise<Device>;
    /**
     * List the devices of a courier that pushes can wake.
     * `GET /couriers/{id}/devices`
     */
    readonly listDevices: (id: string, options?: CallOptions) => Promise<Page<Device>>;
    /**
     * Remove a device, so that it gets no more pushes.
     * `DELETE /couriers/{id}/devices/{device_id}`
     */
    readonly removeDevice: (id: string, deviceId: string, options?: CallOptions) => Promise<void>;
    /**
     * Send a document of a courier for review.
     * `POST /couriers/{id}/documents`
     */
    readonly addDocument: (id: string, body: AddCourierDocumentBody, options?: CallOptions) => Promise<Document>;
    /**
     * List the documents of a courier, newest first.
     * `GET /couriers/{id}/documents`
     */
    readonly listDocuments: (id: string, query?: ListDecisionsQuery, options?: CallOptions) => Pages<Document>;
    /**
     * Read a document of a courier.
     * `GET /couriers/{id}/documents/{document_id}`
     */
    readonly getDocument: (id: string, documentId: string, options?: CallOptions) => Promise<DocumentDetails>;
    /**
     * List documents for review, oldest first.
     * `GET /kyc/documents`
     */
    readonly listDocumentsForReview: (query?: ListDocumentsForReviewQuery, options?: CallOptions) => Pages<DocumentReview>;
    /**
     * Read a document for review.
     * `GET /kyc/documents/{id}`
     */
    readonly getDocumentForReview: (id: string, options?: CallOptions) => Promise<DocumentReviewDetails>;
    /**
     * Take a document into review; supports If-Match.
     * `POST /kyc/documents/{id}/review`
     */
    readonly reviewDocument: (id: string, options?: CallOptions) => Promise<DocumentReviewDetails>;
    /**
     * Approve or reject a document; supports If-Match.
     * `POST /kyc/documents/{id}/decide`
     */
    readonly decideDocument: (id: string, body: DecideDocumentBody, options?: CallOptions) => Promise<DocumentReviewDetails>;
    /**
     * List what a courier has earned, newest first.
     * `GET /couriers/{id}/earnings`
     */
    readonly listEarnings: (id: string, query?: ListEarningsQuery, options?: CallOptions) => Pages<Earning>;
    /**
     * Set the bank account to which a courier is paid.
     * `PUT /couriers/{id}/bank-account`
     */
    readonly setBankAccount: (id: string, body: SetBankAccountBody, options?: CallOptions) => Promise<BankAccount>;
    /**
     * Read the figures of a courier.
     * `GET /couriers/{id}/metrics`
     */
    readonly getMetrics: (id: string, query?: GetCourierMetricsQuery, options?: CallOptions) => Promise<CourierMetrics>;
  };
  readonly dispatch: {
    /**
     * Assign a courier, or run the matcher for a delivery now.
     * `POST /dispatch/assign`
     */
    readonly assignCourier: (body: AssignCourierBody, options?: CallOptions) => Promise<AssignCourierAnswer>;
    /**
     * List the couriers who could carry a delivery, nearest first.
     * `GET /dispatch/candidates`
     */
    readonly listCandidates: (query: ListCandidatesQuery, options?: CallOptions) => Promise<Page<CandidatesItem>>;
    /**
     * List deliveries that have waited too long for a courier, longest first.
     * `GET /dispatch/queue`
     */
    readonly listWaitingDeliveries: (query?: ListWaitingDeliveriesQuery, options?: CallOptions) => Pages<QueueEntry>;
    /**
     * List the decisions of the matcher about a delivery with their reasons, newest first.
     * `GET /dispatch/decisions/{id}`
     */
    readonly listDecisions: (id: string, query?: ListDecisionsQuery, options?: CallOptions) => Pages<DispatchDecision>;
    /**
     * List the open alarms with their deliveries, newest first.
     * `GET /dispatch/alarms`
     */
    readonly listAlarms: (query?: ListDecisionsQuery, options?: CallOptions) => Pages<Alarm>;
    /**
     * List demand, supply and surge by cell.
     * `GET /dispatch/cells`
     */
    readonly listCells: (query?: ListCellsQuery, options?: CallOptions) => Promise<Page<SurgeCell>>;
  };
  readonly wallets: {
    /**
     * Get the balance of the wallet.
     * `GET /wallets/balance`
     */
    readonly getWalletBalance: (query?: GetWalletBalanceQuery, options?: CallOptions) => Promise<WalletBalance>;
    /**
     * Start a top-up through a payment gateway.
     * `POST /wallets/fund`
     */
    readonly fundWallet: (body: FundWalletBody, options?: CallOptions) => Promise<TopUp>;
    /**
     * List top-ups, newest first.
     * `GET /wallets/top-ups`
     */
    readonly listTopUps: (query?: ListTopUpsQuery, options?: CallOptions) => Pages<TopUp>;
    /**
     * Get a top-up.
     * `GET /wallets/top-ups/{id}`
     */
    readonly getTopUp: (id: string, options?: CallOptions) => Promise<TopUp>;
    /**
     * Refund a top-up, or a part of it, to the payer.
     * `POST /wallets/top-ups/{id}/refunds`
     */
    readonly refundTopUp: (id: string, body: RefundTopUpBody, options?: CallOptions) => Promise<TopUpRefund>;
    /**
     * List refunds of top-ups, newest first.
     * `GET /wallets/refunds`
     */
    readonly listTopUpRefunds: (query?: ListTopUpRefundsQuery, options?: CallOptions) => Pages<TopUpRefund>;
    /**
     * Get a refund of a top-up.
     * `GET /wallets/refunds/{id}`
     */
    readonly getTopUpRefund: (id: string, options?: CallOptions) => Promise<TopUpRefund>;
    /**
     * End a refund of a top-up that waits for a person.
     * `POST /wallets/refunds/{id}/resolve`
     */
    readonly resolveTopUpRefund: (id: string, body: ResolveTopUpRefundBody, options?: CallOptions) => Promise<TopUpRefund>;
    /**
     * List money in suspense, newest first.
     * `GET /wallets/suspense`
     */
    readonly listSuspense: (query?: ListSuspenseQuery, options?: CallOptions) => Pages<Suspense>;
    /**
     * Decide about money in suspense.
     * `POST /wallets/suspense/{id}/decide`
     */
    readonly decideSuspense: (id: string, body: DecideSuspenseBody, options?: CallOptions) => Promise<Suspense>;
    /**
     * Approve a decision about money in suspense.
     * `POST /wallets/suspense/{id}/approve`
     */
    readonly approveSuspense: (id: string, body: ApproveSuspenseBody, options?: CallOptions) => Promise<Suspense>;
    /**
     * Ask for an adjustment of a wallet.
     * `POST /wallets/adjustments`
     */
    readonly requestAdjustment: (body: RequestAdjustmentBody, options?: CallOptions) => Promise<Adjustment>;
    /**
     * List adjustments of wallets, newest first.
     * `GET /wallets/adjustments`
     */
    readonly listAdjustments: (query?: ListAdjustmentsQuery, options?: CallOptions) => Pages<Adjustment>;
    /**
     * Approve or reject an adjustment of a wallet.
     * `POST /wallets/adjustments/{id}/decide`
     */
    readonly decideAdjustment: (id: string, body: DecideAdjustmentBody, options?: CallOptions) => Promise<Adjustment>;
    /**
     * List comparisons of gateways with the ledger.
     * `GET /wallets/reconciliations`
     */
    readonly listReconciliations: (query?: ListReconciliationsQuery, options?: CallOptions) => Pages<Reconciliation>;
    /**
     * Pay all couriers what they have earned.
     * `POST /payouts/process`
     */
    readonly processPayouts: (body: ProcessPayoutsBody, options?: CallOptions) => Promise<PayoutBatch>;
    /**
     * List payouts, newest first.
     * `GET /payouts`
     */
    readonly listPayouts: (query?: ListPayoutsQuery, options?: CallOptions) => Pages<Payout>;
    /**
     * Approve a payout above the limit or of a suspended courier.
     * `POST /payouts/{id}/approve`
     */
    readonly approvePayout: (id: string, options?: CallOptions) => Promise<Payout>;
    /**
     * End or decline a payout that waits for a person.
     * `POST /payouts/{id}/resolve`
     */
    readonly resolvePayout: (id: string, body: ResolvePayoutBody, options?: CallOptions) => Promise<Payout>;
  };
  readonly billing: {
    /**
     * List debits and credits, newest first.
     * `GET /billing/transactions`
     */
    readonly listTransactions: (query?: ListTransactionsQuery, options?: CallOptions) => Pages<Transaction>;
    /**
     * Read a transaction.
     * `GET /billing/transactions/{id}`
     */
    readonly getTransaction: (id: string, options?: CallOptions) => Promise<Transaction>;
    /**
     * List what was charged for each delivery, newest first.
     * `GET /vendor/settlement/charges`
     */
    readonly listCharges: (query?: ListChargesQuery, options?: CallOptions) => Pages<Charge>;
    /**
     * List invoices and credit notes, newest first.
     * `GET /billing/invoices`
     */
    readonly listInvoices: (query?: ListInvoicesQuery, options?: CallOptions) => Pages<InvoicesItem>;
    /**
     * Download an invoice or a credit note, or the receipt of a delivery.
     * `GET /billing/invoices/{id}`
     */
    readonly getInvoice: (id: string, query?: GetInvoiceQuery, options?: CallOptions) => Promise<Invoice>;
    /**
     * List settlements: order values versus delivery costs of each period.
     * `GET /settlement/vendors`
     */
    readonly listSettlements: (query?: ListSettlementsQuery, options?: CallOptions) => Pages<Settlement>;
    /**
     * Read a settlement.
     * `GET /settlement/vendors/{id}`
     */
    readonly getSettlement: (id: string, options?: CallOptions) => Promise<Settlement>;
    /**
     * Approve a settlement above the limit.
     * `POST /settlement/vendors/{id}/approve`
     */
    readonly approveSettlement: (id: string, options?: CallOptions) => Promise<Settlement>;
    /**
     * List what settlements have paid to the vendor.
     * `GET /vendor/settlement/payouts`
     */
    readonly listSettlementPayouts: (query?: ListSettlementPayoutsQuery, options?: CallOptions) => Pages<SettlementPayout>;
    /**
     * Refund the charge of a delivery, or a part of it.
     * `POST /deliveries/{id}/refunds`
     */
    readonly refundDelivery: (id: string, body: RefundDeliveryBody, options?: CallOptions) => Promise<Refund>;
    /**
     * List the refunds of a delivery, newest first.
     * `GET /deliveries/{id}/refunds`
     */
    readonly listRefunds: (id: string, options?: CallOptions) => Promise<Page<Refund>>;
    /**
     * Raise a dispute about the charge of a delivery.
     * `POST /vendor/disputes`
     */
    readonly raiseDispute: (body: RaiseDisputeBody, options?: CallOptions) => Promise<Dispute>;
    /**
     * List your disputes, newest first.
     * `GET /vendor/disputes`
     */
    readonly listDisputes: (query?: ListDisputesQuery, options?: CallOptions) => Pages<Dispute>;
    /**
     * Read one of your disputes.
     * `GET /vendor/disputes/{id}`
     */
    readonly getDispute: (id: string, options?: CallOptions) => Promise<Dispute>;
    /**
     * Withdraw a dispute that is not decided.
     * `POST /vendor/disputes/{id}/withdraw`
     */
    readonly withdrawDispute: (id: string, options?: CallOptions) => Promise<Dispute>;
    /**
     * List disputes for review, newest first.
     * `GET /disputes`
     */
    readonly listDisputesForReview: (query?: ListDisputesForReviewQuery, options?: CallOptions) => Pages<Dispute>;
    /**
     * Read a dispute of any vendor.
     * `GET /disputes/{id}`
     */
    readonly getDisputeForReview: (id: string, options?: CallOptions) => Promise<Dispute>;
    /**
     * Take a dispute into review.
     * `POST /disputes/{id}/review`
     */
    readonly reviewDispute: (id: string, options?: CallOptions) => Promise<Dispute>;
    /**
     * Accept or reject a dispute.
     * `POST /disputes/{id}/decide`
     */
    readonly decideDispute: (id: string, body: DecideDisputeBody, options?: CallOptions) => Promise<Dispute>;
  };
  readonly deliveries: {
    /**
     * Create a delivery; staff and internal services must name the vendor.
     * `POST /deliveries`
     */
    readonly create: (body: NewDelivery, options?: CallOptions) => Promise<Delivery>;
    /**
     * Change an open delivery.
     * `PATCH /deliveries/{id}`
     */
    readonly update: (id: string, body?: DeliveryChanges, options?: CallOptions) => Promise<Delivery>;
    /**
     * Cancel a delivery that has not ended.
     * `POST /deliveries/{id}/cancel`
     */
    readonly cancel: (id: string, body?: CancelExpressDeliveryBody, options?: CallOptions) => Promise<Delivery>;
    /**
     * Read the terms of a cancel before making it.
     * `GET /deliveries/{id}/cancel-preview`
     */
    readonly previewCancel: (id: string, query?: PreviewCancelExpressDeliveryQuery, options?: CallOptions) => Promise<CancelPreview>;
    /**
     * Read a delivery.
     * `GET /deliveries/{id}`
     */
    readonly get: (id: string, options?: CallOptions) => Promise<Delivery | CourierDelivery>;
    /**
     * List deliveries, newest first.
     * `GET /deliveries`
     */
    readonly list: (query?: ListDeliveriesQuery, options?: CallOptions) => Pages<Delivery>;
    /**
     * Arrive at a stop; stop 0 is the pickup, where the arrival starts the wait clock.
     * `POST /deliveries/{id}/stops/{stop}/arrive`
     */
    readonly arriveAtStop: (id: string, stop: string | number, body?: ArriveAtStopBody, options?: CallOptions) => Promise<Delivery | CourierDelivery>;
    /**
     * Collect the goods at the pickup.
     * `POST /deliveries/{id}/pick-up`
     */
    readonly pickUp: (id: string, body?: PickUpDeliveryBody, options?: CallOptions) => Promise<Delivery | CourierDelivery>;
    /**
     * Leave the pickup with the goods.
     * `POST /deliveries/{id}/depart`
     */
    readonly departFromPickup: (id: string, body?: ArriveAtStopBody, options?: CallOptions) => Promise<Delivery | CourierDelivery>;
    /**
     * Hand over the goods of a drop-off; the last one ends the delivery.
     * `POST /deliveries/{id}/stops/{stop}/deliver`
     */
    readonly deliverAtStop: (id: string, stop: string | number, body?: PickUpDeliveryBody, options?: CallOptions) => Promise<Delivery | CourierDelivery>;
    /**
     * Give up a drop-off that cannot be served.
     * `POST /deliveries/{id}/stops/{stop}/fail`
     */
    readonly failAtStop: (id: string, stop: string | number, body: FailAtStopBody, options?: CallOptions) => Promise<Delivery | CourierDelivery>;
    /**
     * Take a delivery from its courier before the pickup, and search again.
     * `POST /deliveries/{id}/release`
     */
    readonly release: (id: string, body: ReleaseDeliveryBody, options?: CallOptions) => Promise<DeliveryStatus>;
    /**
     * Read the proof of a delivery.
     * `GET /deliveries/{id}/proof`
     */
    readonly getProof: (id: string, options?: CallOptions) => Promise<DeliveryProof>;
    /**
     * Add photos, a signature and other proof at a stop.
     * `POST /deliveries/{id}/stops/{stop}/proof`
     */
    readonly addStopProof: (id: string, stop: string | number, body: AddStopProofBody, options?: CallOptions) => Promise<Proof>;
    /**
     * List the steps that a test can take now.
     * `GET /test/deliveries/{id}/advance`
     */
    readonly listTestSteps: (id: string, options?: CallOptions) => Promise<TestSteps>;
    /**
     * Take one step of a test at once.
     * `POST /test/deliveries/{id}/advance`
     */
    readonly advanceTest: (id: string, body?: AdvanceTestBody, options?: CallOptions) => Promise<Delivery>;
    /**
     * Rate the courier of a delivery.
     * `POST /deliveries/{id}/rating`
     */
    readonly rate: (id: string, body: RateDeliveryBody, options?: CallOptions) => Promise<Rating>;
  };
  readonly tracking: {
    /**
     * Read only the current state.
     * `GET /deliveries/{id}/status`
     */
    readonly getStatus: (id: string, options?: CallOptions) => Promise<DeliveryStatus>;
    /**
     * List the events of a delivery, oldest first.
     * `GET /deliveries/{id}/history`
     */
    readonly listEvents: (id: string, query?: ListDecisionsQuery, options?: CallOptions) => Pages<DeliveryEventsItem>;
    /**
     * Get the tracking links of the recipients, one for each drop-off.
     * `GET /deliveries/{id}/tracking-url`
     */
    readonly getUrl: (id: string, options?: CallOptions) => Promise<TrackingLink>;
    /**
     * Read the location of the courier and the expected arrival.
     * `GET /deliveries/{id}/live-location`
     */
    readonly getLiveLocation: (id: string, options?: CallOptions) => Promise<LiveLocation>;
    /**
     * Read the state that the recipient's page shows.
     * `GET /t/{token}/state`
     */
    readonly getState: (token: string, options?: CallOptions) => Promise<GetTrackingStateAnswer>;
    /**
     * Rate the courier as the recipient.
     * `POST /t/{token}/rating`
     */
    readonly rateByLink: (token: string, body: RateDeliveryBody, options?: CallOptions) => Promise<RateByLinkAnswer>;
  };
  readonly vendor: {
    /**
     * Read the profile of the vendor.
     * `GET /vendor/profile`
     */
    readonly getProfile: (query?: GetVendorProfileQuery, options?: CallOptions) => Promise<Vendor>;
    /**
     * Change the profile of the vendor; supports If-Match.
     * `PATCH /vendor/profile`
     */
    readonly updateProfile: (body?: UpdateVendorProfileBody, options?: CallOptions) => Promise<Vendor>;
    /**
     * Set the logo of the vendor; supports If-Match.
     * `POST /vendor/profile/logo`
     */
    readonly setLogo: (body: SetVendorLogoBody, options?: CallOptions) => Promise<Vendor>;
    /**
     * Remove the logo of the vendor; supports If-Match.
     * `DELETE /vendor/profile/logo`
     */
    readonly deleteLogo: (query?: GetVendorProfileQuery, options?: CallOptions) => Promise<void>;
    /**
     * List the opening hours of each location.
     * `GET /vendor/hours`
     */
    readonly listHours: (query?: ListVendorHoursQuery, options?: CallOptions) => Pages<VendorHours>;
    /**
     * Set the opening hours of one location or of all; supports If-Match.
     * `PATCH /vendor/hours`
     */
    readonly setHours: (body: SetVendorHoursBody, options?: CallOptions) => Promise<VendorHours>;
    /**
     * List the storefronts and warehouses, newest first.
     * `GET /vendor/locations`
     */
    readonly listLocations: (query?: ListVendorHoursQuery, options?: CallOptions) => Pages<VendorLocation>;
    /**
     * Say whether a location takes pickups now; supports If-Match.
     * `PATCH /vendor/locations/{id}/readiness`
     */
    readonly setLocationReadiness: (id: string, body: SetLocationReadinessBody, options?: CallOptions) => Promise<VendorLocation>;
    /**
     * Add a location to a vendor.
     * `POST /vendor/locations`
     */
    readonly createLocation: (body: CreateVendorLocationBody, options?: CallOptions) => Promise<VendorLocation>;
    /**
     * Read a vendor location.
     * `GET /vendor/locations/{id}`
     */
    readonly getLocation: (id: string, options?: CallOptions) => Promise<VendorLocation>;
    /**
     * Change a location; supports If-Match.
     * `PATCH /vendor/locations/{id}`
     */
    readonly updateLocation: (id: string, body?: UpdateVendorLocationBody, options?: CallOptions) => Promise<VendorLocation>;
    /**
     * List the zones and the longest ways of each location.
     * `GET /vendor/coverage`
     */
    readonly getCoverage: (query?: GetVendorCoverageQuery, options?: CallOptions) => Pages<Coverage>;
    /**
     * Add a zone to a location.
     * `POST /vendor/locations/{id}/zones`
     */
    readonly createLocationZone: (id: string, body: CreateLocationZoneBody, options?: CallOptions) => Promise<Zone>;
    /**
     * Change the name or the area of a zone.
     * `PATCH /vendor/locations/{id}/zones/{zone_id}`
     */
    readonly updateLocationZone: (id: string, zoneId: string, body?: UpdateLocationZoneBody, options?: CallOptions) => Promise<Zone>;
    /**
     * Remove a zone from a location.
     * `DELETE /vendor/locations/{id}/zones/{zone_id}`
     */
    readonly deleteLocationZone: (id: string, zoneId: string, options?: CallOptions) => Promise<void>;
    /**
     * Add a vendor.
     * `POST /vendors`
     */
    readonly create: (body: CreateVendorBody, options?: CallOptions) => Promise<Vendor>;
    /**
     * List all vendors, newest first.
     * `GET /vendors`
     */
    readonly list: (query?: ListDecisionsQuery, options?: CallOptions) => Pages<Vendor>;
    /**
     * Read a vendor.
     * `GET /vendors/{id}`
     */
    readonly get: (id: string, options?: CallOptions) => Promise<Vendor>;
    /**
     * Change the account of a vendor; supports If-Match.
     * `PATCH /vendors/{id}`
     */
    readonly update: (id: string, body?: UpdateVendorBody, options?: CallOptions) => Promise<Vendor>;
    /**
     * Make a vendor order into a delivery and start the search for a courier.
     * `POST /vendor/orders/{order_id}/dispatch`
     */
    readonly dispatchOrder: (orderId: string, body: DispatchVendorOrderBody, options?: CallOptions) => Promise<Delivery>;
    /**
     * Report that the goods are ready.
     * `PATCH /vendor/deliveries/{id}/ready`
     */
    readonly markDeliveryReady: (id: string, body?: MarkDeliveryReadyBody, options?: CallOptions) => Promise<Delivery>;
    /**
     * Delay the pickup before the goods are collected.
     * `POST /vendor/deliveries/{id}/delay`
     */
    readonly delayPickup: (id: string, body?: DelayPickupBody, options?: CallOptions) => Promise<Delivery>;
    /**
     * List the rules that price the deliveries of the vendor.
     * `GET /vendor/pricing-rules`
     */
    readonly listPricingRules: (query?: ListPricingRulesQuery, options?: CallOptions) => Promise<Page<PricingRule>>;
    /**
     * Apply a discount that the vendor pays to a quote.
     * `POST /vendor/promotions/subsidy`
     */
    readonly subsidizeQuote: (body: SubsidizeQuoteBody, options?: CallOptions) => Promise<Subsidy>;
    /**
     * Calculate what a delivery costs customer, vendor and platform.
     * `POST /vendor/quotes/pre-calc`
     */
    readonly preCalculateQuote: (body: NewQuote, options?: CallOptions) => Promise<QuoteCalculation>;
    /**
     * Create a pricing rule.
     * `POST /vendor/pricing-rules`
     */
    readonly createPricingRule: (body: CreatePricingRuleBody, options?: CallOptions) => Promise<PricingRule>;
    /**
     * Change a pricing rule.
     * `PATCH /vendor/pricing-rules/{id}`
     */
    readonly updatePricingRule: (id: string, body?: UpdatePricingRuleBody, options?: CallOptions) => Promise<PricingRule>;
    /**
     * End a pricing rule now.
     * `POST /vendor/pricing-rules/{id}/end`
     */
    readonly endPricingRule: (id: string, body?: EndPricingRuleBody, options?: CallOptions) => Promise<PricingRule>;
  };
  readonly analytics: {
    /**
     * Read how deliveries ended.
     * `GET /vendor/analytics/success-rate`
     */
    readonly getSuccessRate: (query?: GetSuccessRateQuery, options?: CallOptions) => Promise<SuccessRate>;
    /**
     * Read how long preparation, waiting and transit took.
     * `GET /vendor/analytics/timings`
     */
    readonly getTimings: (query?: GetSuccessRateQuery, options?: CallOptions) => Promise<Timings>;
    /**
     * Add up what was charged by location or category.
     * `GET /vendor/analytics/delivery-costs`
     */
    readonly getDeliveryCosts: (query?: GetDeliveryCostsQuery, options?: CallOptions) => Promise<DeliveryCosts>;
    /**
     * List what each courier did, with their ratings.
     * `GET /vendor/analytics/rider-performance`
     */
    readonly listRiderPerformance: (query?: ListRiderPerformanceQuery, options?: CallOptions) => Pages<RiderPerformance>;
    /**
     * List the comments about couriers, newest first.
     * `GET /vendor/analytics/rider-performance/comments`
     */
    readonly listRiderComments: (query?: ListRiderCommentsQuery, options?: CallOptions) => Pages<Rating>;
  };
  readonly access: {
    /**
     * List the API keys of the account.
     * `GET /vendor/api-keys`
     */
    readonly listApiKeys: (query?: ListApiKeysQuery, options?: CallOptions) => Pages<ApiKey>;
    /**
     * Make an API key.
     * `POST /vendor/api-keys`
     */
    readonly createApiKey: (body?: CreateApiKeyBody, options?: CallOptions) => Promise<ApiKey>;
    /**
     * Revoke an API key.
     * `DELETE /vendor/api-keys/{id}`
     */
    readonly revokeApiKey: (id: string, options?: CallOptions) => Promise<void>;
    /**
     * Replace an API key by a new one.
     * `POST /vendor/api-keys/{id}/rotate`
     */
    readonly rotateApiKey: (id: string, body?: RotateApiKeyBody, options?: CallOptions) => Promise<ApiKey>;
    /**
     * Add a member of staff.
     * `POST /staff`
     */
    readonly addStaff: (body: AddStaffBody, options?: CallOptions) => Promise<Staff>;
    /**
     * List the members of staff.
     * `GET /staff`
     */
    readonly listStaff: (query?: ListDecisionsQuery, options?: CallOptions) => Pages<Staff>;
    /**
     * Change the roles of a member of staff.
     * `PATCH /staff/{id}`
     */
    readonly changeStaffRoles: (id: string, body: ChangeStaffRolesBody, options?: CallOptions) => Promise<Staff>;
    /**
     * Reset the password of a member of staff.
     * `POST /staff/{id}/reset`
     */
    readonly resetStaffPassword: (id: string, body?: ResetStaffPasswordBody, options?: CallOptions) => Promise<Staff>;
    /**
     * Remove a member of staff.
     * `DELETE /staff/{id}`
     */
    readonly removeStaff: (id: string, options?: CallOptions) => Promise<void>;
    /**
     * End all sessions of a member of staff.
     * `POST /staff/{id}/end-sessions`
     */
    readonly endStaffSessions: (id: string, options?: CallOptions) => Promise<EndedSessions>;
    /**
     * End all sessions of a courier.
     * `POST /couriers/{id}/end-sessions`
     */
    readonly endCourierSessions: (id: string, options?: CallOptions) => Promise<EndedSessions>;
    /**
     * Change the own password.
     * `POST /staff/me/password`
     */
    readonly changeOwnPassword: (body: ChangeOwnPasswordBody, options?: CallOptions) => Promise<void>;
    /**
     * List the audit log, newest first.
     * `GET /audit`
     */
    readonly listAuditEntries: (query?: ListAuditEntriesQuery, options?: CallOptions) => Pages<AuditEntry>;
  };
  readonly webhooks: {
    /**
     * Register a URL for event types; only this answer contains the secret.
     * `POST /webhooks`
     */
    readonly create: (body: CreateWebhookBody, options?: CallOptions) => Promise<Webhook>;
    /**
     * List the registrations of the account, newest first.
     * `GET /webhooks`
     */
    readonly list: (query?: ListWebhooksQuery, options?: CallOptions) => Pages<Webhook>;
    /**
     * Read a webhook.
     * `GET /webhooks/{id}`
     */
    readonly get: (id: string, options?: CallOptions) => Promise<Webhook>;
    /**
     * Change, disable or enable a webhook.
     * `PATCH /webhooks/{id}`
     */
    readonly update: (id: string, body?: UpdateWebhookBody, options?: CallOptions) => Promise<Webhook>;
    /**
     * Remove a webhook.
     * `DELETE /webhooks/{id}`
     */
    readonly remove: (id: string, options?: CallOptions) => Promise<void>;
    /**
     * Replace the secret of a webhook.
     * `POST /webhooks/{id}/rotate-secret`
     */
    readonly rotateSecret: (id: string, body?: RotateWebhookSecretBody, options?: CallOptions) => Promise<Webhook>;
    /**
     * Send a test event.
     * `POST /webhooks/{id}/test`
     */
    readonly test: (id: string, options?: CallOptions) => Promise<WebhookTest>;
    /**
     * List the attempts of a webhook.
     * `GET /webhooks/{id}/attempts`
     */
    readonly listAttempts: (id: string, query?: ListWebhookAttemptsQuery, options?: CallOptions) => Pages<WebhookAttempt>;
    /**
     * Send events again.
     * `POST /webhooks/{id}/replay`
     */
    readonly replay: (id: string, body: ReplayWebhookBody, options?: CallOptions) => Promise<WebhookReplay>;
    /**
     * List the events of the account.
     * `GET /events`
     */
    readonly listEvents: (query?: ListEventsQuery, options?: CallOptions) => Pages<Event>;
    /**
     * Read one event.
     * `GET /events/{id}`
     */
    readonly getEvent: (id: string, options?: CallOptions) => Promise<Event>;
  };
  readonly auth: {
    /**
     * Send a one-time code to the phone of a courier; the answer is the same for every phone.
     * `POST /auth/otp`
     */
    readonly requestOtp: (body: RequestOtpBody, options?: CallOptions) => Promise<OneTimeCode>;
    /**
     * Exchange a one-time code, a password or a refresh token for tokens.
     * `POST /auth/token`
     */
    readonly createToken: (body: CreateTokenBody, options?: CallOptions) => Promise<Token>;
    /**
     * End the session of the token.
     * `POST /auth/logout`
     */
    readonly logOut: (options?: CallOptions) => Promise<void>;
    /**
     * List the sessions of the own account.
     * `GET /auth/sessions`
     */
    readonly listSessions: (options?: CallOptions) => Promise<Page<Session>>;
    /**
     * End one session of the own account.
     * `DELETE /auth/sessions/{id}`
     */
    readonly endSession: (id: string, options?: CallOptions) => Promise<void>;
    /**
     * End all other sessions of the own account.
     * `DELETE /auth/sessions`
     */
    readonly endSessions: (query?: EndSessionsQuery, options?: CallOptions) => Promise<EndedSessions>;
  };
  readonly service: {
    /**
     * Check that the process is alive, and read its service clock.
     * `GET /healthz`
     */
    readonly getHealth: (options?: CallOptions) => Promise<GetHealthAnswer>;
    /**
     * Check that MongoDB and Redis answer; 503 if they do not.
     * `GET /readyz`
     */
    readonly getReadiness: (options?: CallOptions) => Promise<GetReadinessAnswer>;
  };
};
