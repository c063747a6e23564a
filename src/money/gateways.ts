/** The payment gateways that the server can talk to. */
export const GATEWAY_NAMES = ['sandbox', 'stripe', 'paystack', 'flutterwave'] as const;
export type GatewayName = (typeof GATEWAY_NAMES)[number];

/** A gateway in one mode. A key is for one mode, so a process may have the key of one mode and not of the other. */
export type GatewayMode = { readonly gateway: GatewayName; readonly liveMode: boolean };

/** Every gateway in both modes. */
export const GATEWAY_MODES: readonly GatewayMode[] = GATEWAY_NAMES.flatMap((gateway) =>
  [true, false].map((liveMode) => ({ gateway, liveMode })),
);
