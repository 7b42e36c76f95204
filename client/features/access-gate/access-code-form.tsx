import { useQuery } from '@tanstack/react-query';
import { Dices } from 'lucide-react';
import { toast } from 'sonner';
import {
  createCode,
  getCode,
  updateCode,
  type AccessCode,
  listCodeUses,
} from '#shared/access-gate/admin-contract.ts';
import { newCode } from '#shared/access-gate/new-code.ts';
import { DESCRIPTION_MAX, CODE_MAX } from '#shared/access-gate/rules.ts';
import { fromLocalField, LOCAL_FIELD_MAX, toLocalField } from '../../platform/admin/format.ts';
import { EditForm } from '../../platform/admin/list/edit-form.tsx';
import { useEdit } from '../../platform/admin/list/use-edit.ts';
import { useRowActions } from '../../platform/admin/list/use-row-actions.ts';
import { requireValid } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { CopyCode } from '../../platform/ui/buttons/copy-code.tsx';
import { RetryBanner } from '../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { CODES } from './code-list-actions.ts';

const NEW = { code: '', description: null, max_uses: null, expires_at: null, is_active: true };
const draftOf = (row: Pick<AccessCode, keyof typeof NEW>) => ({
  code: row.code,
  description: row.description ?? '',
  max_uses: row.max_uses === null ? '' : String(row.max_uses),
  expires_at: toLocalField(row.expires_at),
  is_active: row.is_active ? 'active' : 'inactive',
});
const LABELS = {
  code: 'Code',
  description: 'Description',
  max_uses: 'Maximum uses',
  expires_at: 'Expires',
  is_active: 'Status',
};
const STATUSES = [
  { value: 'active', name: 'Active' },
  { value: 'inactive', name: 'Inactive' },
];

/** Creates or edits an access code. */
export function AccessCodeForm({ code, onDone }: { code: AccessCode | null; onDone: () => void }) {
  const { refresh } = useRowActions(CODES);
  const edit = useEdit({
    row: { ...NEW, version: 0, ...code },
    draftOf,
    reload: async () => {
      const { accessCode } = await call(getCode, { params: { id: code?.id ?? '' } });
      return accessCode;
    },
    async save({ draft, version, isTouched, keyFor }) {
      requireValid(draft.code.trim() ? {} : { code: 'Code is required' });
      const { description, max_uses } = draft;
      const expires_at = fromLocalField(draft.expires_at);
      const saved = async () => {
        if (!code) {
          const body = { code: draft.code, description, max_uses, expires_at };
          return call(createCode, { body, idempotencyKey: keyFor(body) });
        }
        const body = {
          ...(isTouched('description') ? { description } : {}),
          ...(isTouched('max_uses') ? { max_uses } : {}),
          ...(isTouched('expires_at') ? { expires_at } : {}),
          ...(isTouched('is_active') ? { is_active: draft.is_active === 'active' } : {}),
          version,
        };
        return call(updateCode, { params: { id: code.id }, body });
      };
      toast(`${(await saved()).accessCode.code} saved`);
      void refresh();
      onDone();
    },
  });
  const { bind } = edit;

  return (
    <EditForm edit={edit} labels={LABELS} submit={code ? 'Save' : 'Create Code'} onCancel={onDone}>
      {code ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="font-mono text-lg font-bold break-all">{code.code}</p>
          <CopyCode code={code.code} />
        </div>
      ) : (
        <div className="flex flex-col gap-2">
          <Field
            label={LABELS.code}
            {...bind('code')}
            onChange={(event) => edit.set('code', event.target.value.toUpperCase())}
            maxLength={CODE_MAX}
            hint="The code people enter to get in. Upper and lower case don’t matter."
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
          />
          <Button
            look="secondary"
            className="self-start"
            Icon={Dices}
            onClick={() => edit.set('code', newCode())}
          >
            Generate
          </Button>
        </div>
      )}
      <Field
        label={optionalLabel(LABELS.description)}
        {...bind('description')}
        maxLength={DESCRIPTION_MAX}
        autoComplete="off"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={optionalLabel(LABELS.max_uses)}
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          {...bind('max_uses')}
          error={edit.form.fields['max_uses'] && 'Enter at least 1, or leave empty for unlimited'}
          hint="Leave empty for unlimited uses."
        />
        <Field
          label={optionalLabel(LABELS.expires_at)}
          type="datetime-local"
          max={LOCAL_FIELD_MAX}
          {...bind('expires_at')}
          hint="Leave empty for no expiry. In your time zone."
        />
      </div>
      {code && <SelectField label={LABELS.is_active} options={STATUSES} {...bind('is_active')} />}
      {code && <CodeUses id={code.id} />}
    </EditForm>
  );
}

/** Uses of a code, latest first. */
function CodeUses({ id }: { id: string }) {
  const asked = useQuery({
    queryKey: ['admin', 'access-code-uses', id],
    queryFn: () => call(listCodeUses, { params: { id } }),
    staleTime: 0,
  });
  const uses = asked.data?.uses;
  return (
    <section aria-labelledby="code-uses" className="flex flex-col gap-1.5">
      <h3 id="code-uses" className="font-bold">
        Uses
      </h3>
      {asked.error && <RetryBanner title={listCodeUses.failure} asked={asked} />}
      {!uses && !asked.error && <Skeleton label="Loading uses…" lines={1} asked={asked} />}
      {uses?.length === 0 && <p className="text-soft">No one has used it yet.</p>}
      {uses && uses.length > 0 && (
        <ul
          aria-labelledby="code-uses"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
          tabIndex={0}
          className="max-h-56 divide-y divide-line overflow-y-auto rounded-control border border-line px-3"
        >
          {uses.map((use) => (
            <li key={use.id} className="flex flex-wrap justify-between gap-x-4 py-2">
              <span className="min-w-0 break-words">{use.user_name ?? 'Unknown user'}</span>
              <span className="text-soft tabular-nums">
                <Time at={use.used_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
