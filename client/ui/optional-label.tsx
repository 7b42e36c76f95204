/** The name of a field that may be left empty. */
export const optionalLabel = (name: string, more = '') => (
  <>
    {name} <span className="font-normal text-soft">(optional{more})</span>
  </>
);
