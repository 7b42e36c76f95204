import { parse } from 'node:querystring';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'koa';
import { refusalOf } from '#shared/http/http-error.ts';
import { start } from '#shared/start/contract.ts';
import { serve } from '../platform/http/mount-endpoint.ts';
import type { Api } from '../platform/services.ts';
import { sandboxProviders } from './health/routes.ts';

/** A slow one, such as of a weather service, holds up nobody's start. */
const ANSWER_MAX_MS = 2_000;

/** Answers the calls of a start of the app together, each with its own checks and limits. Decision 20. */
export function mountStart(api: Api): void {
  const { direct, services } = api;

  async function answerOf(ctx: Context, call: string): Promise<unknown> {
    const [path = '', search = ''] = call.split('?', 2);
    const answering = direct.get(`GET ${path}`);
    if (!answering?.isAtStart) return null;
    const own: Context = Object.create(ctx, {
      params: { value: {} },
      query: { value: parse(search) },
      state: { value: {} },
      body: { value: null, writable: true },
    });
    try {
      await answering.respond(own);
      return own.body;
    } catch (thrown) {
      const { cause } = refusalOf(thrown);
      if (cause) services.log.warn({ err: cause, path }, 'a call of a start failed');
      return null;
    }
  }

  serve(api, start, async ({ query, ctx }) => {
    const late = wait(ANSWER_MAX_MS, null, { ref: false });
    const answers = query.calls.map((call) => Promise.race([answerOf(ctx, call), late]));
    return {
      answers: await Promise.all(answers),
      sandbox_providers: sandboxProviders(services),
    };
  });
}
