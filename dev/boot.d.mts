/** Types of boot.mjs, for the tests. */
export function packagesState(project: string): 'installed' | 'unmarked' | 'missing';
export function markInstalled(project: string): void;
export function projectNode(project: string): string | undefined;
