import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { SEARCH_MAX } from '#shared/admin/paging.ts';
import { deleteRule, listRules, type ModerationRule } from '#shared/moderation/rules-contract.ts';
import { searchText } from '#shared/normalization/search-text.ts';
import { CreateButton } from '../../../platform/admin/list/create-button.tsx';
import { Folded } from '../../../platform/admin/list/list-controls.tsx';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { Rows } from '../../../platform/admin/list/rows.tsx';
import { useLatestRow } from '../../../platform/admin/list/use-latest-row.ts';
import { Pill } from '../../../platform/admin/pill.tsx';
import { toastError } from '../../../platform/admin/toast-error.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { ShownError } from '../../../platform/http/shown-error.ts';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { RetryBanner } from '../../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { SearchField } from '../../../platform/ui/inputs/search-field.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { useMedia } from '../../../platform/ui/layout/use-media.ts';
import { RULE_ACTIONS, RULE_TYPES, SEVERITIES } from './labels.ts';
import { ruleContradiction } from './rule-contradiction.ts';
import { RuleForm } from './rule-form.tsx';

const KEY = ['admin', 'moderation-rules'];
/** Maximum number of rules shown; a search finds the others. */
const SHOWN = 40;

/** The admin list of moderation rules for texts. */
export function RulesEditor() {
  const { opened, id, open, close } = useDialogParam();
  const [term, setTerm] = useState('');
  const [deleting, setDeleting] = useState<ModerationRule | null>(null);
  const asked = useQuery({
    queryKey: KEY,
    queryFn: () => call(listRules),
    staleTime: 0,
  });
  const { data, error, refetch } = asked;
  const query = searchText(term.trim());
  const found = (data?.rules ?? []).filter(({ rule_name, rule_pattern }) =>
    searchText(`${rule_name} ${rule_pattern}`).includes(query),
  );
  const isWide = useMedia('(min-width: 40rem)');
  const search = (
    <SearchField
      label="Search by name or pattern"
      value={term}
      onChange={setTerm}
      max={SEARCH_MAX}
      className="min-w-full flex-1"
    />
  );
  const edited = useLatestRow(data?.rules, opened === 'edit' ? id : null);

  async function remove({ id: which, version }: ModerationRule) {
    try {
      await call(deleteRule, { params: { id: which }, query: { version } });
      toast.success('Rule deleted');
    } catch (failure) {
      toastError(failure);
    }
    void queries.invalidateQueries({ queryKey: KEY });
  }
  async function reload(): Promise<ModerationRule> {
    const fresh = (await refetch()).data?.rules.find((rule) => rule.id === id);
    if (!fresh) throw new ShownError('Rule not found');
    return fresh;
  }

  return (
    <Card
      title="Rules"
      action={<CreateButton onClick={() => open('new')}>Create Rule</CreateButton>}
    >
      {error && <RetryBanner title={listRules.failure} asked={asked} />}
      {!data && !error && <Skeleton label="Loading rules…" lines={6} asked={asked} />}
      {data && (
        <div className="flex flex-col gap-2 sm:gap-4">
          {isWide ? search : <Folded title="Search">{search}</Folded>}
          {found.length === 0 ? (
            <p className="rounded-card border border-dashed border-line-strong p-8 text-center text-soft">
              {data.rules.length === 0 ? 'No rules yet' : 'No rules match your search'}
            </p>
          ) : (
            <Rows
              label="Rules"
              rows={found.slice(0, SHOWN)}
              nameOf={(rule) => rule.rule_pattern}
              columns={[
                {
                  name: 'Pattern',
                  cell: (rule) => (
                    <>
                      <span className="block font-mono break-all">{rule.rule_pattern}</span>
                      <span className="block text-sm font-normal text-soft">{rule.rule_name}</span>
                    </>
                  ),
                },
                { name: 'Type', brief: null, cell: (rule) => RULE_TYPES[rule.rule_type] },
                {
                  name: 'Severity',
                  cell: (rule) =>
                    rule.rule_type === 'exception' ? '–' : SEVERITIES[rule.severity],
                  brief: (rule) =>
                    rule.rule_type === 'exception' ? 'Exception' : SEVERITIES[rule.severity],
                },
                {
                  name: 'Action',
                  isPlain: true,
                  cell: (rule) =>
                    rule.rule_type === 'exception' ? (
                      'Allow'
                    ) : (
                      <>
                        <span>{RULE_ACTIONS[rule.action]}</span>
                        {ruleContradiction(rule.severity, rule.action) && (
                          <span className="block text-sm font-bold">Contradicts the severity</span>
                        )}
                      </>
                    ),
                },
                {
                  name: 'Status',
                  isState: true,
                  cell: (rule) => (
                    <Pill isOn={rule.is_active}>{rule.is_active ? 'Active' : 'Inactive'}</Pill>
                  ),
                },
              ]}
              actions={(rule) => (
                <>
                  <RowAction
                    word="Edit"
                    about={rule.rule_pattern}
                    onClick={() => open('edit', rule.id)}
                  />
                  <RowAction
                    word="Delete"
                    about={rule.rule_pattern}
                    onClick={() => setDeleting(rule)}
                  />
                </>
              )}
            />
          )}
          <p role="status" className="text-sm text-soft tabular-nums">
            {Math.min(found.length, SHOWN)} of {found.length} shown
          </p>
        </div>
      )}
      <Modal open={opened === 'new'} onClose={close} title="Create rule">
        <RuleForm rule={null} reload={reload} onDone={close} />
      </Modal>
      <Modal open={edited !== undefined} onClose={close} title="Edit rule">
        {edited && <RuleForm key={edited.id} rule={edited} reload={reload} onDone={close} />}
      </Modal>
      <ConfirmDialog
        open={deleting !== null}
        title="Delete this rule?"
        description={`“${deleting?.rule_pattern ?? ''}” will no longer be checked. Earlier matches stay in the log.`}
        yes="Delete"
        onYes={() => deleting && void remove(deleting)}
        onClose={() => setDeleting(null)}
      />
    </Card>
  );
}
