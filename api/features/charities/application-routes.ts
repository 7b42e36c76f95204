import {
  changeApplication,
  getCharityPage,
  openApplication,
  type Application,
} from '#shared/charities/contract.ts';
import { UPDATES_MAX, VERIFIED_FIELDS, VERIFIED_FIXED } from '#shared/charities/rules.ts';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { DAY_SECONDS } from '#shared/time.ts';
import { omitUndefined } from '../../platform/admin/omit-undefined.ts';
import { editedMeanwhile } from '../../platform/admin/versioned-edit.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import type { Api } from '../../platform/services.ts';
import { refuseContent } from '../content-rules/refuse-content.ts';
import { charityOf } from './application-links.ts';
import {
  type CharityRow,
  charities,
  charityWords,
  SHOWN,
  withoutRejection,
} from './collections.ts';
import { logoDataUrl, storeLogo } from './logos.ts';
import { present } from './serialize.ts';

const presentApplication = (row: CharityRow): Application => ({
  charity: present(row),
  rejection: row.rejection?.reason ?? null,
  version: row.version ?? 0,
});

/** A charity’s public page, and its contact’s link to change it (decision 142). */
export function mountCharityPages(api: Api): void {
  const { services } = api;
  const { db, limiter } = services;
  const limitChanges = limiter({
    name: 'charity-pages',
    points: 100,
    seconds: DAY_SECONDS,
    shared: true,
  });

  serve(api, getCharityPage, async ({ params: { id } }) => {
    const row = await charities(db).findOne({ _id: id, ...SHOWN });
    if (!row) throw notFound('Charity');
    return { charity: present(row) };
  });

  serve(api, openApplication, async ({ body: { token }, ctx }) => {
    await limitChanges(networkOf(addressOf(ctx)));
    const row = await charityOf(services, token);
    if (!row) throw notFound('Application');
    return { ...presentApplication(row), logo_url: await logoDataUrl(db, row) };
  });

  serve(api, changeApplication, async ({ body, attachment, ctx }) => {
    const { token, version, update, ...fields } = body;
    await limitChanges(networkOf(addressOf(ctx)));
    const row = await charityOf(services, token);
    if (!row) throw notFound('Application');
    if ((row.version ?? 0) !== version) throw editedMeanwhile();
    const set = omitUndefined(fields);
    const isFixed =
      attachment !== null ||
      VERIFIED_FIELDS.some(
        (field) => set[field] !== undefined && set[field] !== (row[field] ?? null),
      );
    if (row.is_verified && isFixed) throw new HttpError(409, VERIFIED_FIXED);
    const texts = { ...set, ...(update !== undefined && { update }) };
    await refuseContent(services, {
      user_id: null,
      content_type: 'charity',
      content_id: row._id,
      fields: Object.fromEntries(
        Object.entries(texts).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string',
        ),
      ),
    });
    const next = { ...row, ...set };
    const logo_key = attachment && (await storeLogo(services, attachment, row._id));
    const changed = await charities(db).findOneAndUpdate(
      { _id: row._id, version: row.version ?? null, contact_email: row.contact_email } as never,
      {
        $set: {
          ...set,
          ...(logo_key !== null && { logo_key }),
          name_key: next.charity_name.toLowerCase(),
          ...charityWords(next),
          // It waits to be verified again.
          ...withoutRejection(row),
        },
        ...(update !== undefined && {
          $push: {
            updates: {
              $each: [{ text: update, at: new Date() }],
              $position: 0,
              $slice: UPDATES_MAX,
            },
          },
        }),
        $inc: { version: 1 },
      },
      { returnDocument: 'after' },
    );
    if (!changed) throw editedMeanwhile();
    return presentApplication(changed);
  });
}
