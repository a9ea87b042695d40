export default 'read from outside of the project';
