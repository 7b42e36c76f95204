import { useState, type FormEvent } from 'react';
import { toast } from 'sonner';
import {
  createCode,
  DESCRIPTION_MAX,
  getCode,
  updateCode,
  type AccessCode,
} from '#shared/access-gate/admin-contract.ts';
import { CODE_MAX } from '#shared/access-gate/contract.ts';
import { EditedMeanwhile } from '../admin/edited-meanwhile.tsx';
import { useEdit } from '../admin/use-edit.ts';
import { useRowActions } from '../admin/use-row-actions.ts';
import { fromLocalField, LOCAL_FIELD_MAX, toLocalField } from '../admin/words.ts';
import { call } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { optionalLabel } from '../ui/optional-label.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { useRequestKey } from '../use-problems.ts';
import { CODES } from './code-kind.ts';
import { CodeUses } from './code-uses.tsx';

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

/** Makes a code, or edits one. */
export function AccessCodeForm({ code, onDone }: { code: AccessCode | null; onDone: () => void }) {
  const { refresh } = useRowActions(CODES);
  const edit = useEdit({ ...NEW, version: 0, ...code }, draftOf, async () => {
    const { accessCode } = await call(getCode, { params: { id: code?.id ?? '' } });
    return accessCode;
  });
  const { form, words, fields, show, refuseHalfTyped, showRefusal, draft, set, isTouched } = edit;
  const { keyFor } = useRequestKey();
  const [isSaving, setIsSaving] = useState(false);

  async function save() {
    const { description, max_uses } = draft;
    const expires_at = fromLocalField(draft.expires_at);
    if (!code) {
      const body = { code: draft.code, description, max_uses, expires_at };
      return (await call(createCode, { body, idempotencyKey: keyFor(body) })).accessCode;
    }
    const body = {
      ...(isTouched('description') ? { description } : {}),
      ...(isTouched('max_uses') ? { max_uses } : {}),
      ...(isTouched('expires_at') ? { expires_at } : {}),
      ...(isTouched('is_active') ? { is_active: draft.is_active === 'active' } : {}),
      version: edit.version,
    };
    return (await call(updateCode, { params: { id: code.id }, body })).accessCode;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSaving || refuseHalfTyped()) return;
    show('');
    if (!draft.code.trim()) {
      show('', { code: 'Code is required' });
      return;
    }
    setIsSaving(true);
    try {
      const saved = await save();
      toast(`${saved.code} is saved`);
      void refresh();
      onDone();
    } catch (error) {
      await showRefusal(error, (code ? updateCode : createCode).failure);
      setIsSaving(false);
    }
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void submit(event)}
      noValidate
      className="flex flex-col gap-4"
    >
      <EditedMeanwhile
        changes={edit.meanwhile}
        draft={draft}
        labels={LABELS}
        onTake={(field, value) => set(field as keyof typeof LABELS, value)}
      />
      {code ? (
        <p className="font-mono text-lg font-bold break-all">{code.code}</p>
      ) : (
        <Field
          label={LABELS.code}
          value={draft.code}
          onChange={(event) => set('code', event.target.value.toUpperCase())}
          maxLength={CODE_MAX}
          error={fields['code']}
          hint="What people type at the gate. Capitals and small letters are the same."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
      )}
      <Field
        label={optionalLabel(LABELS.description)}
        value={draft.description}
        onChange={(event) => set('description', event.target.value)}
        maxLength={DESCRIPTION_MAX}
        error={fields['description']}
        autoComplete="off"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={optionalLabel(LABELS.max_uses)}
          name="max_uses"
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          value={draft.max_uses}
          onChange={(event) => set('max_uses', event.target.value)}
          error={fields['max_uses'] && 'At least 1, or nothing for unlimited'}
          hint="Empty means unlimited."
        />
        <Field
          label={optionalLabel(LABELS.expires_at)}
          name="expires_at"
          type="datetime-local"
          max={LOCAL_FIELD_MAX}
          value={draft.expires_at}
          onChange={(event) => set('expires_at', event.target.value)}
          error={fields['expires_at']}
          hint="Empty means never. In your time zone."
        />
      </div>
      {code && (
        <SelectField
          label={LABELS.is_active}
          options={STATUSES}
          value={draft.is_active}
          onChange={(event) => set('is_active', event.target.value)}
        />
      )}
      {code && <CodeUses id={code.id} />}
      {words && <ErrorBanner>{words}</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" wide pending={isSaving && 'Saving…'}>
          {code ? 'Save' : 'Create Code'}
        </Button>
      </div>
    </form>
  );
}
