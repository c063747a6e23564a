import { createSandboxSigner } from '../../models/secrets/signer.ts';
import type { GatewayPorts } from '../../ports/money/gateways.ts';
import type { SandboxPorts } from '../../ports/money/sandbox.ts';
import type { Settings } from '../../settings.ts';
import { createSandboxGateway } from './sandbox-gateway.ts';

type Needs = {
  readonly settings: Pick<Settings, 'topUps'>;
  /** The key from which the secret of the sandbox follows, 32 bytes. */
  readonly webhookKey: Buffer;
  /** The address of this process on its own machine, where the sandbox gateway is. */
  readonly ownUrl: string;
};

/** Opens the gateways that this server is configured for, the preferred one first. The sandbox is always there. */
export function openGateways({
  settings,
  webhookKey,
  ownUrl,
}: Needs): GatewayPorts & Pick<SandboxPorts, 'sandboxSigner'> {
  const sandboxSigner = createSandboxSigner(webhookKey);
  const { requestRealMs: realMs } = settings.topUps;
  const gateways = [createSandboxGateway({ url: ownUrl, signer: sandboxSigner, realMs })];
  return { gateways, sandboxSigner };
}
