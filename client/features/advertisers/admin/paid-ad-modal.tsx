import { toast } from 'sonner';
import { AD_DESCRIPTION_MAX } from '#shared/ads/rules.ts';
import {
  correctAd,
  correctListing,
  getAdvertiserAd,
  getBusinessListing,
  listingCorrections,
  timedAdCorrections,
} from '#shared/advertisers/admin-contract.ts';
import { EditForm } from '../../../platform/admin/list/edit-form.tsx';
import { RowModal } from '../../../platform/admin/list/row-modal.tsx';
import { useEdit } from '../../../platform/admin/list/use-edit.ts';
import { parseForm } from '../../../platform/forms/use-submit.ts';
import { call } from '../../../platform/http/api.ts';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { Field } from '../../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { optionalLabel } from '../../../platform/ui/inputs/optional-label.tsx';
import { AdImageField } from '../../ads/ad-image-field.tsx';
import { LISTING_INPUTS, TIMED_INPUTS } from '../ad-inputs.ts';
import { isTimed, nameOf, refresh, type AdminAd } from './admin-actions.ts';

const inputsOf = (ad: AdminAd) => (isTimed(ad) ? TIMED_INPUTS : LISTING_INPUTS);

const textsOf = (ad: AdminAd): Record<string, string> => {
  const values = ad as unknown as Record<string, string | null>;
  return Object.fromEntries(
    [...inputsOf(ad).map(({ name }) => name), 'description'].map((name) => [
      name,
      values[name] ?? '',
    ]),
  );
};

const draftOf = (ad: AdminAd): Record<string, string> => ({
  ...textsOf(ad),
  image_url: ad.image_url ? new URL(ad.image_url, location.origin).href : '',
});

const labelsOf = (ad: AdminAd): Record<string, string> => ({
  ...Object.fromEntries(inputsOf(ad).map(({ name, label }) => [name, label])),
  description: 'Description',
  image_url: 'Image URL',
});

async function reload(ad: AdminAd): Promise<AdminAd> {
  const { advertisement } = isTimed(ad)
    ? await call(getAdvertiserAd, { params: { id: ad.id } })
    : await call(getBusinessListing, { params: { id: ad.id } });
  return advertisement;
}

/** Corrects what people see of a paid ad. */
function PaidAdForm({ ad, onDone }: { ad: AdminAd; onDone: () => void }) {
  const edit = useEdit<AdminAd, Record<string, string>>({
    row: ad,
    draftOf,
    reload: () => reload(ad),
    async save({ draft, version, isTouched }) {
      const touched = Object.fromEntries(Object.entries(draft).filter(([name]) => isTouched(name)));
      const { advertisement } = isTimed(ad)
        ? await call(correctAd, {
            params: { id: ad.id },
            body: { ...parseForm(timedAdCorrections, touched), version },
          })
        : await call(correctListing, {
            params: { id: ad.id },
            body: { ...parseForm(listingCorrections, touched), version },
          });
      toast(`“${nameOf(advertisement)}” saved`);
      void refresh();
      onDone();
    },
  });
  const labels = labelsOf(ad);
  return (
    <EditForm edit={edit} labels={labels} submit="Save" onCancel={onDone}>
      {inputsOf(ad).map(({ name, label, max, type, isOptional = false }) => (
        <Field
          key={name}
          label={isOptional ? optionalLabel(label) : label}
          required={!isOptional}
          type={type ?? 'text'}
          autoComplete="off"
          {...edit.bind(name)}
          maxLength={max}
        />
      ))}
      <MessageField
        label="Description"
        {...edit.bind('description')}
        max={AD_DESCRIPTION_MAX}
        required
      />
      <AdImageField label="Image URL" {...edit.bind('image_url')} />
      <p className="text-sm text-soft">
        <span>
          An approved ad stays approved. The advertiser sees the change in the dashboard and isn’t
          emailed.
        </span>
        {ad.proposed && <span>{' The change that waits for approval keeps its texts.'}</span>}
      </p>
    </EditForm>
  );
}

/** The dialog to edit the timed ad or listing in the address. */
export function PaidAdModal({ isListing }: { isListing: boolean }) {
  const { opened, id, close } = useDialogParam();
  return (
    <RowModal<{ advertisement: AdminAd }>
      title="Edit advertisement"
      id={opened === 'edit-ad' ? id : null}
      onClose={close}
      queryKey={[isListing ? 'business-listings' : 'advertiser-ads', 'edited']}
      ask={(which) =>
        isListing
          ? call(getBusinessListing, { params: { id: which } })
          : call(getAdvertiserAd, { params: { id: Number(which) } })
      }
      waiting="Loading advertisement…"
    >
      {({ advertisement }) => <PaidAdForm ad={advertisement} onDone={close} />}
    </RowModal>
  );
}
