import type { Config } from '../../config.ts';
import { createSandboxSigner } from '../../models/secrets/signer.ts';
import type { Gateway, GatewayPorts } from '../../ports/money/gateways.ts';
import type { Clock } from '../../ports/process.ts';
import type { SandboxPorts } from '../../ports/money/sandbox.ts';
import type { Settings } from '../../settings.ts';
import { createFlutterwaveGateway } from './flutterwave-gateway.ts';
import { GATEWAY_VARIABLES } from './gateway-variables.ts';
import { createPaystackGateway } from './paystack-gateway.ts';
import { createSandboxGateway } from './sandbox-gateway.ts';
import { createStripeGateway } from './stripe-gateway.ts';

type Given = {
  readonly settings: Pick<Settings, 'http' | 'topUps'>;
  readonly around: Pick<Config['around'], keyof typeof GATEWAY_VARIABLES>;
  readonly clock: Clock;
};

/**
 * Opens the gateways that this server is configured for, the preferred one first. The sandbox is always there. A gateway
 * without keys is absent.
 * @param webhookKey from which the secret of the sandbox follows, 32 bytes
 * @param ownUrl the address of this process on its own machine, where the sandbox is
 */
export async function openGateways(
  { settings, around, clock }: Given,
  webhookKey: Buffer,
  ownUrl: string,
): Promise<GatewayPorts & Pick<SandboxPorts, 'sandboxSigner'>> {
  const sandboxSigner = createSandboxSigner(webhookKey);
  const { requestRealMs: realMs, preferredGateways, stripeUrl, paystackUrl, flutterwaveUrl } = settings.topUps;
  const common = { realMs, homeUrl: settings.http.baseUrl };
  const gateways: Gateway[] = [createSandboxGateway({ url: ownUrl, signer: sandboxSigner, realMs })];
  const { STRIPE_SECRET_KEY: stripeKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = around;
  if (stripeKey !== undefined && webhookSecret !== undefined)
    gateways.push(await createStripeGateway({ ...common, key: stripeKey, webhookSecret, url: stripeUrl, clock }));
  const { PAYSTACK_SECRET_KEY: paystackKey } = around;
  if (paystackKey !== undefined)
    gateways.push(createPaystackGateway({ ...common, key: paystackKey, url: paystackUrl }));
  const { FLUTTERWAVE_SECRET_KEY: key, FLUTTERWAVE_WEBHOOK_SECRET: secretHash } = around;
  if (key !== undefined && secretHash !== undefined)
    gateways.push(createFlutterwaveGateway({ ...common, key, secretHash, url: flutterwaveUrl }));
  return { gateways: inOrder(gateways, preferredGateways.split(',')), sandboxSigner };
}

/** The gateways in the order of these names. Others follow. */
function inOrder(gateways: readonly Gateway[], names: readonly string[]): Gateway[] {
  const rank = ({ name }: Gateway): number => (names.includes(name) ? names.indexOf(name) : names.length);
  return gateways.toSorted((a, b) => rank(a) - rank(b));
}
