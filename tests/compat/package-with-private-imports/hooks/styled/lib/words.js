export default { via: 'import' };
