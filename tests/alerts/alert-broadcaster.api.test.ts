import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createAlert } from '#shared/alerts/admin-contract.ts';
import { createAlertBroadcaster } from '../../api/features/alerts/alert-broadcaster.ts';
import { acknowledgements as acknowledgementRows } from '../../api/features/alerts/collections.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { replacing, spareServices } from '../services.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const here = { latitude: 10, longitude: -100 };

test('broadcasting an alert reads only the acknowledgments of the users in its area', async () => {
  const { alert } = await (
    await api.asAdmin()
  ).call(createAlert, {
    body: {
      alert_type: 'public_safety',
      severity: 'severe',
      title: 'Gas leak',
      description: 'Keep away from the park.',
      affected_latitude: here.latitude,
      affected_longitude: here.longitude,
      radius_miles: 10,
    },
  });
  const spare = await spareServices(api);
  const { db } = spare.services;
  const rows = acknowledgementRows(db);
  await rows.insertMany(
    Array.from({ length: 300 }, (_, person) => ({
      _id: `person-${person} ${alert.id}`,
      user_id: `person-${person}`,
      alert_id: alert.id,
      severity: 'severe' as const,
      acknowledged_at: new Date(),
    })),
  );
  const queries: object[] = [];
  const acknowledgements = {
    find(filter: object) {
      queries.push(filter);
      return rows.find(filter);
    },
  };
  const counted = replacing(db, (collection) =>
    collection.collectionName === rows.collectionName ? (acknowledgements as never) : collection,
  );
  const sent: unknown[] = [];
  const events = {
    userIds: () => ['person-7'],
    deliver: (_userId: string, event: object) => sent.push(event),
  };
  const broadcaster = createAlertBroadcaster(
    { ...spare.services, db: counted, events } as never,
    async (userIds) => userIds.map((userId) => ({ userId, ...here })),
  );
  await broadcaster.announce(alert.id);
  await expect
    .poll(() => sent)
    .toMatchObject([
      { type: 'alert', alert: { id: alert.id, user_id: 'person-7', is_acknowledged: true } },
    ]);
  expect(queries).toHaveLength(1);
  expect(await rows.countDocuments(queries[0])).toBe(1);
  await spare.close();
});
