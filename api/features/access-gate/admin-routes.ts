import type { Filter } from 'mongodb';
import type { z } from 'zod';
import {
  changeCodes,
  createCode,
  deleteCode,
  exportCodes,
  getCode,
  listCodes,
  listCodeUses,
  updateCode,
  type AccessCode,
} from '#shared/access-gate/admin-contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { doEach } from '../../platform/admin/do-each.ts';
import { type Order, readAll, readPage } from '../../platform/admin/keyset-pagination.ts';
import { statusFilter, wordPrefixFilter, wordsOf } from '../../platform/admin/search.ts';
import { serveExport } from '../../platform/admin/serve-export.ts';
import {
  createRow,
  dateOf,
  edit,
  removeRow,
  type Edit,
} from '../../platform/admin/versioned-edit.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { namesOf } from '../profile/names.ts';
import { type AccessCodeRow, accessCodes, accessCodeUses } from './collections.ts';
import { unusedCode } from './new-code.ts';

const present = (row: AccessCodeRow): AccessCode => ({
  ...row,
  id: row._id,
  expires_at: row.expires_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  version: row.version ?? 0,
});

/** The fields of a code in the audit log. */
const auditFields = ({ code, description, max_uses, is_active, expires_at }: AccessCodeRow) => ({
  code,
  description,
  max_uses,
  is_active,
  expires_at,
});

type Wanted = z.output<NonNullable<(typeof exportCodes)['query']>>;

/** Sort orders of the admin list. */
const CODE_ORDERS: Record<Wanted['sort'], Order<AccessCodeRow>> = {
  newest: ['created_at', -1],
  oldest: ['created_at', 1],
  code: ['code', 1],
  most_used: ['current_uses', -1],
};

/** Returns the filter for an admin’s query; `now` decides which codes are expired. */
const codeFilter = ({ search, status, source }: Wanted, now: Date): Filter<AccessCodeRow> => ({
  ...wordPrefixFilter(search),
  ...statusFilter(status, 'is_active', now),
  ...(source ? { source } : {}),
});

const missing = 'Access code not found';
const USES_MAX = 1_000;

/** The admin panel's access codes. */
export function mountAccessCodes(api: Api): void {
  const { services } = api;

  const change = (
    caller: Caller,
    id: string,
    set: Edit<AccessCodeRow>['set'],
    version: number | undefined,
  ) =>
    edit(services, accessCodes(services.db), {
      caller,
      act: 'access-code.update',
      id,
      version,
      set,
      derive: ({ code, description }) => ({ words: wordsOf(code, description) }),
      missing,
    });
  // A used code can be deleted, too: its uses and their access stay.
  const remove = (caller: Caller, id: string, version: number | undefined) =>
    removeRow(services, accessCodes(services.db), {
      caller,
      act: 'access-code.delete',
      id,
      version,
      missing,
      auditFields,
    });

  serve(api, listCodes, async ({ query }) => {
    const filter = codeFilter(query, new Date());
    const { rows, paged } = await readPage(accessCodes(services.db), {
      filter,
      orders: CODE_ORDERS,
      query,
    });
    return { accessCodes: rows.map(present), ...paged };
  });

  serveExport(api, exportCodes, {
    kind: 'access-code',
    name: 'access-codes',
    rows: (query) =>
      readAll(accessCodes(services.db), {
        filter: codeFilter(query, new Date()),
        orders: CODE_ORDERS,
        query,
      }),
    columns: {
      Code: (row) => row.code,
      Description: (row) => row.description,
      'Maximum uses': (row) => row.max_uses,
      Uses: (row) => row.current_uses,
      Enabled: (row) => (row.is_active ? 'yes' : 'no'),
      Expires: (row) => row.expires_at,
      Created: (row) => row.created_at,
      'Made by': (row) => row.source,
    },
  });

  serve(api, getCode, async ({ params: { id } }) => {
    const row = await accessCodes(services.db).findOne({ _id: id });
    if (!row) throw new HttpError(404, missing);
    return { accessCode: present(row) };
  });

  serve(api, createCode, async ({ body, caller, freshId }) => {
    const row = unusedCode({
      _id: freshId(),
      code: body.code,
      description: body.description ?? null,
      max_uses: body.max_uses ?? null,
      expires_at: dateOf(body.expires_at) ?? null,
      source: 'admin',
    });
    const made = await createRow(services, accessCodes(services.db), {
      caller,
      act: 'access-code.create',
      row,
      auditFields: auditFields(row),
      conflict: { field: 'code', message: 'This access code already exists' },
    });
    return { accessCode: present(made) };
  });

  serve(api, updateCode, async ({ params, body, caller }) => {
    const { expires_at, version, ...rest } = body;
    // Undefined leaves the field unchanged; null clears it.
    const set = { ...rest, expires_at: dateOf(expires_at) };
    return { accessCode: present(await change(caller, params.id, set, version)) };
  });

  serve(api, deleteCode, async ({ params, query: { version }, caller }) => {
    await remove(caller, params.id, version);
    return {};
  });

  serve(api, changeCodes, async ({ body: { action, items }, caller }) =>
    doEach(items, async ({ id, version }) =>
      action === 'delete'
        ? remove(caller, id, version)
        : change(caller, id, { is_active: action === 'enable' }, version),
    ),
  );

  serve(api, listCodeUses, async ({ params }) => {
    const rows = await accessCodeUses(services.db)
      .find({ access_code_id: params.id })
      .sort({ used_at: -1, _id: 1 })
      .limit(USES_MAX)
      .toArray();
    if (rows.length === 0 && !(await accessCodes(services.db).findOne({ _id: params.id })))
      throw new HttpError(404, missing);
    const users = rows.flatMap(({ user_id }) => user_id ?? []);
    const names = await namesOf(services.db, [...new Set(users)]);
    return {
      uses: rows.map(({ _id, used_at, ...row }) => ({
        ...row,
        id: _id,
        user_name: names.get(row.user_id ?? '') ?? null,
        used_at: used_at.toISOString(),
      })),
    };
  });
}
