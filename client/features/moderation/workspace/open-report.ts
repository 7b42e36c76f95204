import { useSearchParams } from 'react-router-dom';

/** Parameter of the address with the report that the workspace shows. */
export const REPORT = 'report';

/** Returns how to open a report in the moderators’ workspace, from any list. */
export function useOpenReport(): (id: string) => void {
  const [, setSearch] = useSearchParams();
  return (id) => setSearch({ tab: 'moderation', part: 'queue', [REPORT]: id });
}
