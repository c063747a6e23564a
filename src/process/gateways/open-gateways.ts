import { createSandboxSigner } from '../../models/secrets/signer.ts';
import type { Gateway, GatewayPorts } from '../../ports/money/gateways.ts';
import type { SandboxPorts } from '../../ports/money/sandbox.ts';
import type { Settings } from '../../settings.ts';
import { createSandboxGateway } from './sandbox-gateway.ts';
import { createStripeGateway } from './stripe-gateway.ts';

type Given = {
  readonly settings: Pick<Settings, 'http' | 'topUps'>;
  readonly around: { readonly STRIPE_SECRET_KEY?: string; readonly STRIPE_WEBHOOK_SECRET?: string };
};

/**
 * Opens the gateways that this server is configured for, the preferred one first. The sandbox is always there. A gateway
 * without keys is absent.
 * @param webhookKey from which the secret of the sandbox follows, 32 bytes
 * @param ownUrl the address of this process on its own machine, where the sandbox is
 */
export async function openGateways(
  { settings, around }: Given,
  webhookKey: Buffer,
  ownUrl: string,
): Promise<GatewayPorts & Pick<SandboxPorts, 'sandboxSigner'>> {
  const sandboxSigner = createSandboxSigner(webhookKey);
  const { requestRealMs: realMs, stripeUrl } = settings.topUps;
  const gateways: Gateway[] = [createSandboxGateway({ url: ownUrl, signer: sandboxSigner, realMs })];
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret } = around;
  if (key !== undefined && webhookSecret !== undefined) {
    const homeUrl = settings.http.baseUrl;
    gateways.push(await createStripeGateway({ key, webhookSecret, url: stripeUrl, realMs, homeUrl }));
  }
  return { gateways, sandboxSigner };
}
