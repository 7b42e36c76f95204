import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import {
  createCode,
  deleteCode,
  listCodes,
  listCodeUses,
  updateCode,
} from '#shared/access-gate/admin-contract.ts';
import { validateCode } from '#shared/access-gate/contract.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeCode } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let admin: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());

describe('creating an access code', () => {
  test('creates a trimmed, uppercase, active access code without limits by default', async () => {
    const { accessCode } = await admin.call(createCode, { body: { code: '  spring-walk ' } });
    expect(accessCode).toMatchObject({
      code: 'SPRING-WALK',
      description: null,
      max_uses: null,
      current_uses: 0,
      is_active: true,
      expires_at: null,
    });
    const { accessCodes } = await admin.call(listCodes);
    expect(accessCodes).toContainEqual(accessCode);
  });

  test('stores the limits of a new access code, and null for empty fields', async () => {
    const made = await makeCode(admin, {
      max_uses: 3,
      expires_at: '2030-01-01T12:00:00+02:00',
      description: ' for the club ',
    });
    expect(made).toMatchObject({
      max_uses: 3,
      expires_at: '2030-01-01T10:00:00.000Z',
      description: 'for the club',
    });
    const { accessCode } = await admin.call(createCode, {
      body: { code: 'EMPTY-FIELDS', max_uses: '', expires_at: '', description: '' },
    });
    expect(accessCode).toMatchObject({ max_uses: null, expires_at: null, description: null });
  });

  test('refuses a duplicate access code, ignoring case', async () => {
    const { code } = await makeCode(admin);
    await expectRefused(admin.call(createCode, { body: { code: code.toLowerCase() } }), 409, {
      error: 'This access code already exists',
      code: 'conflict',
    });
  });

  test.each([
    [{}, { code: 'Code is required' }],
    [{ code: '   ' }, { code: 'Code is required' }],
    [{ code: 'X'.repeat(51) }, { code: 'Invalid input' }],
    [{ code: 'OK', max_uses: 0 }, { max_uses: 'Invalid input' }],
    [{ code: 'OK', max_uses: 1.5 }, { max_uses: 'Invalid input' }],
    [{ code: 'OK', expires_at: 'tomorrow' }, { expires_at: 'Invalid input' }],
    [{ code: 'OK', description: 'x'.repeat(501) }, { description: 'Invalid input' }],
  ])('refuses to create an access code from %j', async (body, fields) => {
    await expectRefused(admin.call(createCode, { body: body as { code: string } }), 400, {
      error: Object.values(fields)[0],
      fields,
    });
  });

  test('creates only one access code per Idempotency-Key', async () => {
    const body = { code: 'ONCE-ONLY' };
    const idempotencyKey = 'key-of-once-only';
    const first = await admin.call(createCode, { body, idempotencyKey });
    expect(await admin.call(createCode, { body, idempotencyKey })).toEqual(first);
  });
});

describe('updating an access code', () => {
  test('updates only the given fields of an access code, and clears those that are null', async () => {
    const { id } = await makeCode(admin, { max_uses: 3, description: 'kept' });
    const change = async (body: z.input<typeof updateCode.body & object>) =>
      (await admin.call(updateCode, { params: { id }, body })).accessCode;
    const off = { is_active: false, max_uses: 3, description: 'kept' };
    expect(await change({ is_active: false })).toMatchObject(off);
    expect(await change({ max_uses: null })).toMatchObject({ ...off, max_uses: null });
    expect(
      await change({ description: 'new', expires_at: '2030-01-01T12:00:00+02:00' }),
    ).toMatchObject({
      is_active: false,
      max_uses: null,
      description: 'new',
      expires_at: '2030-01-01T10:00:00.000Z',
    });
  });

  test('ignores the use count and the code itself when updating an access code', async () => {
    const { id, code } = await makeCode(admin);
    const body = { current_uses: 7, code: 'OTHER' } as object;
    const { accessCode } = await admin.call(updateCode, { params: { id }, body });
    expect(accessCode).toMatchObject({ current_uses: 0, code });
  });

  test('answers 404 when updating an unknown access code', async () => {
    for (const body of [{ is_active: true }, {}])
      await expectRefused(admin.call(updateCode, { params: { id: 'nothing' }, body }), 404, {
        error: 'Access code not found',
      });
  });
});

describe('deleting an access code', () => {
  test('deleting an access code disables it but keeps its uses and the access it gave', async () => {
    const { id, code } = await makeCode(admin);
    const person = await api.as('stays@example.com', { access: false });
    await person.call(validateCode, { body: { code } });
    await admin.call(deleteCode, { params: { id } });
    await expectRefused(api.visitor().call(validateCode, { body: { code } }), 400);
    const { uses } = await admin.call(listCodeUses, { params: { id } });
    expect(uses).toMatchObject([{ user_id: person.user.id, user_name: person.user.given_name }]);
    await expectRefused(admin.call(deleteCode, { params: { id } }), 404);
  });

  test('answers 404 when listing the uses of an unknown access code', async () => {
    await expectRefused(admin.call(listCodeUses, { params: { id: 'nothing' } }), 404);
  });
});
