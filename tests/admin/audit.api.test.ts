import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  createCode,
  deleteCode,
  exportCodes,
  updateCode,
} from '#shared/access-gate/admin-contract.ts';
import { auditLog } from '#shared/admin/contract.ts';
import { deleteAdvertisement, updateAdvertisement } from '#shared/ads/admin-contract.ts';
import { createAlert, deactivateAlert } from '#shared/alerts/admin-contract.ts';
import { openAudit } from '../../api/platform/admin/audit.ts';
import type { AuditLog } from '../../api/platform/admin/collections.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { makeAd } from '../ads/made-ads.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeCode } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let admin: TestPerson;
let boss: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), {
    ADMIN_EMAILS: 'admin@example.com, boss@example.com',
  });
  admin = await api.asAdmin();
  boss = await api.as('boss@example.com');
});
afterAll(() => api.close());

const actsOn = async (subject_id: string) =>
  (await admin.call(auditLog, { query: { subject_id, sort: 'oldest' } })).entries;

test('logs who changed an access code, from creation to deletion', async () => {
  const code = await makeCode(admin, { description: 'first' });
  const params = { id: code.id };
  await boss.call(updateCode, { params, body: { description: 'second', is_active: true } });
  await boss.call(updateCode, { params, body: { description: 'second' } });
  await admin.call(deleteCode, { params });
  const made = { code: code.code, description: 'first', max_uses: null, is_active: true };
  expect(await actsOn(code.id)).toEqual([
    {
      id: expect.any(String),
      at: expect.any(String),
      admin_user_id: admin.user.id,
      admin_email: 'admin@example.com',
      act: 'access-code.create',
      subject_kind: 'access-code',
      subject_id: code.id,
      // It has been deleted since.
      subject_name: null,
      value_names: {},
      before: null,
      after: { ...made, expires_at: null },
      reason: null,
      voids: null,
    },
    // Only the changed fields, and no entry without changes.
    expect.objectContaining({
      admin_email: 'boss@example.com',
      act: 'access-code.update',
      before: { description: 'first' },
      after: { description: 'second' },
    }),
    expect.objectContaining({
      act: 'access-code.delete',
      before: { ...made, description: 'second', expires_at: null },
      after: null,
    }),
  ]);
});

test('has no call that changes an entry of the audit log', async () => {
  const { entries } = await admin.call(auditLog, { query: {} });
  const address = `${api.origin}/api/admin/audit-log`;
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of ['', `/${entries[0]?.id}`]) {
      const { status } = await admin.jar.fetch(`${address}${path}`, { method });
      expect([404, 405]).toContain(status);
    }
  expect((await admin.call(auditLog, { query: {} })).entries).toEqual(entries);
});

test('logs a failed action, and that it failed', async () => {
  const { code } = await makeCode(admin);
  await expectRefused(admin.call(createCode, { body: { code } }), 409);
  const { entries } = await admin.call(auditLog, { query: { act: 'access-code.create' } });
  const [failed, tried] = entries;
  expect(failed).toMatchObject({ act: 'access-code.create', voids: tried?.id });
  expect(tried).toMatchObject({ after: { code }, voids: null });
});

test('logs changes of ads and alerts, and exports', async () => {
  const ad = await makeAd(admin);
  await admin.call(updateAdvertisement, { params: { id: ad.id }, body: { active: false } });
  await admin.call(deleteAdvertisement, { params: { id: ad.id } });
  expect((await actsOn(ad.id)).map(({ act }) => act)).toEqual([
    'advertisement.create',
    'advertisement.update',
    'advertisement.delete',
  ]);
  const { alert } = await admin.call(createAlert, {
    body: {
      alert_type: 'other',
      severity: 'minor',
      title: 'Fireworks',
      description: 'At nine.',
      affected_latitude: 1,
      affected_longitude: 2,
      radius_miles: 10,
    },
  });
  await admin.call(deactivateAlert, { params: { id: alert.id } });
  await admin.call(deactivateAlert, { params: { id: alert.id } });
  expect((await actsOn(alert.id)).map(({ act, after }) => [act, after?.['is_active']])).toEqual([
    ['emergency-alert.create', undefined],
    ['emergency-alert.deactivate', false],
  ]);
  await admin.jar.fetch(`${api.origin}${pathOf(exportCodes, {}, { status: 'active' })}`);
  const { entries } = await admin.call(auditLog, { query: { act: 'access-code.export' } });
  expect(entries[0]).toMatchObject({ after: { status: 'active', sort: 'newest' } });
});

test('filters the audit log by admin and action, and pages through it', async () => {
  const { entries, admins, kinds } = await admin.call(auditLog, {
    query: { admin_user_id: boss.user.id },
  });
  expect(entries.length).toBeGreaterThan(0);
  expect(new Set(entries.map((entry) => entry.admin_email))).toEqual(new Set(['boss@example.com']));
  expect(admins.map(({ email }) => email)).toEqual(['admin@example.com', 'boss@example.com']);
  expect(kinds).toContain('emergency-alert');
  const page = await admin.call(auditLog, { query: { subject_kind: 'advertisement', limit: 2 } });
  expect(page.entries.map(({ act }) => act)).toEqual([
    'advertisement.delete',
    'advertisement.update',
  ]);
  const cursor = page.next_cursor ?? undefined;
  const next = await admin.call(auditLog, {
    query: { subject_kind: 'advertisement', limit: 2, cursor },
  });
  expect(next.entries.map(({ act }) => act)).toContain('advertisement.create');
});

test('performs no action when the audit entry cannot be written', async () => {
  const written: string[] = [];
  const log = {
    insertOne: async () => {
      written.push('noted');
      throw new Error('the database went away');
    },
  } as unknown as AuditLog;
  const act = { caller: { user: admin.user as never }, subject_id: 'x', before: null, after: null };
  const doing = openAudit(log)({ ...act, act: 'access-code.create' }, async () => {
    written.push('done');
  });
  await expect(doing).rejects.toThrow('the database went away');
  expect(written).toEqual(['noted']);
});
