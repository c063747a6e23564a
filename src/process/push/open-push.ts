import type { CredentialId } from '../../domain/access.ts';
import type { Context } from '../../ports/context.ts';
import type { Push } from '../../ports/offers.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { createReceiverRules } from '../../webhooks/guard-address.ts';
import { createFcmService } from './fcm-service.ts';
import { ServiceAccount } from './fcm-token.ts';
import { createHookService } from './hook-service.ts';
import { createPushSender, type PushServices } from './push-sender.ts';

type Around = {
  readonly NODE_ENV: string;
  readonly FCM_SERVICE_ACCOUNT?: string;
  readonly PUSH_URL?: string;
  readonly PUSH_SECRET?: string;
};

/** The push services that the environment configures. */
function createPushServices(around: Around, settings: Settings, clock: Clock): PushServices {
  const { FCM_SERVICE_ACCOUNT: account, PUSH_URL: url, PUSH_SECRET: secret } = around;
  const allowPrivate = around.NODE_ENV !== 'production';
  const rules = createReceiverRules({ ...settings.webhooks, allowPrivate });
  return {
    fcm: account === undefined ? null : createFcmService(ServiceAccount.parse(JSON.parse(account)), settings, clock),
    webhook:
      url === undefined || secret === undefined ? null : createHookService({ url, secret }, settings, rules, clock),
  };
}

type Needs = Pick<Context, 'clock' | 'devices' | 'log' | 'metrics' | 'settings'> & {
  readonly credentials: Pick<Context['credentials'], 'listEnded' | 'onEnded'>;
};

/** Opens the push services, and removes devices when their sessions end. */
export function openPush(around: Around, ctx: Needs): { push: Push; close: () => Promise<void> } {
  const services = createPushServices(around, ctx.settings, ctx.clock);
  // A message may get lost, so each push looks at the stored sessions too.
  const underWay = new Set<Promise<void>>();
  const stopForgetting = ctx.credentials.onEnded((ids) => {
    const removal = forgetDevices(ctx, ids).finally(() => underWay.delete(removal));
    underWay.add(removal);
  });
  return {
    push: createPushSender({ ...ctx, services }),
    close: async () => {
      stopForgetting();
      // The database is closed next.
      await Promise.all(underWay);
      for (const service of Object.values(services)) await service?.close();
    },
  };
}

/** Removes the devices of ended sessions. */
export async function forgetDevices(
  { devices, log }: Pick<Context, 'devices' | 'log'>,
  ids: ReadonlySet<CredentialId>,
): Promise<void> {
  const sessions = [...ids].filter((id) => id.startsWith('ses_')) as `ses_${string}`[];
  try {
    await devices.removeOfSessions(sessions);
  } catch (error) {
    // The next push finds these sessions ended and removes their devices.
    log.warn({ error }, 'devices of ended sessions were not removed');
  }
}
