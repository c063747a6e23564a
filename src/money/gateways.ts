/** The payment gateways that the server can talk to. */
export const GATEWAY_NAMES = ['sandbox', 'stripe', 'paystack', 'flutterwave'] as const;
export type GatewayName = (typeof GATEWAY_NAMES)[number];
