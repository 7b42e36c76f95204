import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listShownAds } from '#shared/ads/contract.ts';
import { listDrafts, saveDraft } from '#shared/chat/contract.ts';
import { health } from '#shared/health/contract.ts';
import { listActivity } from '#shared/push/contract.ts';
import { me } from '#shared/session/contract.ts';
import { start } from '#shared/start/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { friends } from '../chat/talk.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const asking = (...paths: string[]) => ({ query: { calls: paths.join(' ') } });

test('a start answers each call as the call itself does', async () => {
  const [ann, bob] = await friends(api, 'Ann', 'Bob');
  const draft = { text: 'See you', base_version: 0, drops_copy: false };
  await ann.call(saveDraft, { params: { friendUserId: bob.user.id }, body: draft });
  const banner = { placement: 'banner' } as const;
  const { answers, sandbox_providers } = await ann.call(
    start,
    asking(pathOf(me), pathOf(listDrafts), pathOf(listShownAds, {}, banner)),
  );
  const own = await ann.call(listDrafts);
  expect(own.drafts).toMatchObject([{ text: 'See you' }]);
  expect(answers).toEqual([await ann.call(me), own, { ads: expect.any(Array) as unknown }]);
  expect(sandbox_providers).toEqual((await ann.call(health)).sandbox_providers);
});

test('what fails in a start, or is not for one, leaves the rest as it is', async () => {
  const outsider = await api.as('start-outsider@example.com', { access: false });
  const { answers } = await outsider.call(
    start,
    asking(
      pathOf(listActivity),
      pathOf(me),
      '/api/emergency-alerts?latitude=no',
      '/api/logout',
      '/api/no',
    ),
  );
  expect(answers).toEqual([null, await outsider.call(me), null, null, null]);
  await outsider.call(me);
});

test('a start counts for the limits of its calls', async () => {
  const ann = await api.as('start-limits@example.com');
  const limit = api.limits().get('GET /activity')!.limit.points;
  await api.withLimits(1, async () => {
    const some = Array.from({ length: 15 }, () => pathOf(listActivity));
    for (let asked = 0; asked < limit; asked += some.length) await ann.call(start, asking(...some));
    expect((await ann.call(start, asking(pathOf(listActivity)))).answers).toEqual([null]);
    await expectRefused(ann.call(listActivity), 429);
  });
});

test('a start needs a session, and has a limit of calls', async () => {
  await expectRefused(api.call(start, asking(pathOf(me))), 401);
  const ann = await api.as('start-bounds@example.com');
  const many = Array.from({ length: 17 }, () => pathOf(me));
  await expectRefused(ann.call(start, asking(...many)), 400);
});
