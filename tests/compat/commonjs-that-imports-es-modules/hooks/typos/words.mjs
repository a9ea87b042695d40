export const words = new Map([['teh', 'the'], ['recieve', 'receive']]);
export default import.meta.url;
