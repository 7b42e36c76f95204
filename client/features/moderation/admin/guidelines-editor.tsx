import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { listAllGuidelines, type AdminGuideline } from '#shared/moderation/rules-contract.ts';
import { CreateButton } from '../../../platform/admin/list/create-button.tsx';
import { Pill } from '../../../platform/admin/pill.tsx';
import { call } from '../../../platform/http/api.ts';
import { ShownError } from '../../../platform/http/shown-error.ts';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { RetryBanner } from '../../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { GuidelineForm } from './guideline-form.tsx';
import { CATEGORIES } from './labels.ts';

/** The community safety guidelines as admins edit them. */
export function GuidelinesEditor() {
  const { opened, id, open, close } = useDialogParam();
  const asked = useQuery({
    queryKey: ['admin', 'guidelines'],
    queryFn: () => call(listAllGuidelines),
    staleTime: 0,
  });
  const { data, error, refetch } = asked;
  const edited = data?.guidelines.find((guideline) => guideline.id === id);
  async function reload(): Promise<AdminGuideline> {
    const fresh = (await refetch()).data?.guidelines.find((guideline) => guideline.id === id);
    if (!fresh) throw new ShownError('Guideline not found');
    return fresh;
  }
  return (
    <Card
      title="Guidelines"
      action={<CreateButton onClick={() => open('new')}>Create</CreateButton>}
    >
      {error && <RetryBanner title={listAllGuidelines.failure} asked={asked} />}
      {!data && !error && <Skeleton label="Loading guidelines…" lines={6} asked={asked} />}
      <ul className="flex flex-col gap-3">
        {data?.guidelines.map((guideline) => (
          <li key={guideline.id} className="rounded-card border border-line bg-surface p-3.5">
            <div className="flex flex-wrap items-start justify-end gap-x-3">
              <div className="min-w-0 flex-1 basis-28">
                <h3 className="font-bold break-words">{guideline.title}</h3>
                <p className="text-sm text-soft">{CATEGORIES[guideline.guideline_category]}</p>
              </div>
              <div className="flex items-center gap-1">
                <Pill isOn={guideline.is_active}>
                  {guideline.is_active ? 'Active' : 'Inactive'}
                </Pill>
                <IconButton
                  Icon={Pencil}
                  label={`Edit ${guideline.title}`}
                  onClick={() => open('edit', guideline.id)}
                />
              </div>
            </div>
            <p className="mt-1 line-clamp-3 break-words">{guideline.description}</p>
          </li>
        ))}
      </ul>
      <Modal open={opened === 'new'} onClose={close} title="Create guideline">
        <GuidelineForm guideline={null} reload={reload} onDone={close} />
      </Modal>
      <Modal
        open={opened === 'edit' && edited !== undefined}
        onClose={close}
        title="Edit guideline"
      >
        {edited && (
          <GuidelineForm key={edited.id} guideline={edited} reload={reload} onDone={close} />
        )}
      </Modal>
    </Card>
  );
}
