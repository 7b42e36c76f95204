import { reportClientError } from '#shared/client-errors/contract.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { deviceName } from '../session/device-name.ts';

/** Errors of the app on devices: counted, and written to the log. */
export function mountClientErrors(api: Api): void {
  const { log, limiter, metrics } = api.services;
  const limit = limiter({ name: 'client-errors', points: 20, seconds: 3_600 });
  const reported = metrics.counter(
    'client_errors_total',
    'Errors of the app that devices reported.',
  );

  serve(api, reportClientError, async ({ body, caller, ctx }) => {
    await limit(caller.user._id);
    reported.inc();
    const browser = deviceName(ctx.get('user-agent'));
    log.warn({ client_error: body, browser }, 'the app failed on a device');
    return {};
  });
}
